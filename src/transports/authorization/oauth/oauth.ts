// What needs the OAuth client: it is large, and most starts of the program go without it.
export { explain } from './explain.ts';
export { obtain } from './obtain.ts';
export { revoke } from './revoke.ts';
