import type { Feature } from '../../concern.ts';

/** The base: what every later revision is compared with. */
export const features: readonly Feature[] = [];
