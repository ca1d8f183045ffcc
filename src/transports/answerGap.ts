/**
 * How long an answer waits behind a notification, in milliseconds: clients lose progress that they read together with
 * its answer. Longer than the few milliseconds for which a busy system lets a waiting client wait.
 */
export const ANSWER_GAP_MS = 20;
