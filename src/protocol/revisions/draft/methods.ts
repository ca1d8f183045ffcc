export { methods } from '../2026-07-28/methods.ts';
