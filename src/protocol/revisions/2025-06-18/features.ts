import type { Feature } from '../../concern.ts';
import { features as before } from '../2025-03-26/features.ts';

export const features: readonly Feature[] = [
  ...before.filter((feature) => feature !== 'json-rpc-batch'),
  'tool-resource-link',
  'resource-link-in-prompt',
  'tool-structured-output',
  'completion-context',
  'elicitation-form',
];
