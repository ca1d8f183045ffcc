import type { Feature } from '../../concern.ts';
import { features as before } from '../2025-06-18/features.ts';

export const features: readonly Feature[] = [
  ...before,
  'elicitation-url',
  'elicitation-multi-select',
  'elicitation-titled-enum',
  'sampling-tools',
];
