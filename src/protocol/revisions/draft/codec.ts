export { codec } from '../2026-07-28/codec.ts';
