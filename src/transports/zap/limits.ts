/** The largest message that is read or written; a longer one is refused. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The length that stands before each message, big-endian. */
export const PREFIX_BYTES = 4;

/** The most connections a client keeps open for its next requests. */
export const MAX_IDLE = 32;
