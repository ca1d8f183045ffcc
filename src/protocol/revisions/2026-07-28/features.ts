import type { Feature } from '../../concern.ts';
import { features as before } from '../2025-11-25/features.ts';

export const features: readonly Feature[] = [...before, 'tool-structured-any', 'result-type'];
