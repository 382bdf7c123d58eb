/** What the pages and the server of /live agree on. */

/** The version of the events. Pages ignore an event of another version or of an unknown type. */
export const LIVE_VERSION = 1;

/** The session of this connection has ended. Reconnecting with it would fail. */
export const CLOSE_SESSION_ENDED = 4001;
/** Newer pages have replaced this connection. It reconnects only when somebody looks at the page again. */
export const CLOSE_TOO_MANY = 4002;
