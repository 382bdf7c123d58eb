/** What everybody reads whom a rate limit stops. Limits with a longer pause than a minute have texts of their own. */
export const TOO_MANY_REQUESTS = "Too many requests. Please try again later.";

/** The period of the rate limits in wrangler.toml, s. Answers with status 429 name it in Retry-After. */
export const RETRY_AFTER_S = 60;
