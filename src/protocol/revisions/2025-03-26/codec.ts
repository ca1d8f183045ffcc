export { codec } from '../2024-11-05/codec.ts';
