import type { Feature } from '../../concern.ts';
import { features as before } from '../2024-11-05/features.ts';

export const features: readonly Feature[] = [
  ...before,
  'tool-annotations',
  'tool-audio-content',
  'audio-in-prompt',
  'json-rpc-batch',
];
