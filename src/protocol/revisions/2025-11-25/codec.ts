export { codec } from '../2025-06-18/codec.ts';
