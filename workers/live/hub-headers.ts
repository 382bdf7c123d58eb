/** Headers by which the worker, having authenticated a page, names its user and their session. */
export const USER_HEADER = "X-Live-User";
export const SESSION_HEADER = "X-Live-Session";
export const EPOCH_HEADER = "X-Live-Epoch";
