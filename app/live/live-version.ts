/** The version of the events. Pages ignore an event of another version or of an unknown type. */
export const LIVE_VERSION = 1;
