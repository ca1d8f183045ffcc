/** The largest message either side takes or keeps waiting for a slow peer; the limit does not depend on chunking. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The most messages one array may hold (revision 2025-03-26). */
export const MAX_BATCH_LENGTH = 100;
