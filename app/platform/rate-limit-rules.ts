/**
 * The message for everybody who reaches a rate limit. Limits with a longer pause than a minute have their own texts.
 */
export const TOO_MANY_REQUESTS = "Too many requests. Please try again later.";

/** The period of the rate limits in wrangler.toml, in s. Answers with status 429 have it in Retry-After. */
export const RETRY_AFTER_S = 60;
