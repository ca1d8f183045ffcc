/** The draft says today what 2026-07-28 says; what it may add is passed through. */
export { features } from '../2026-07-28/features.ts';
