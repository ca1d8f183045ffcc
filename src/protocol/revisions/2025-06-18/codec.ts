export { codec } from '../2025-03-26/codec.ts';
