/** Every binding and variable of the app's worker, as declared in `wrangler.toml`. */
import type { UserHub } from "./live/user-hub.ts";

export interface Env {
  /** The one database. */
  DB: D1Database;
  /** Sessions only: cookie id → user id and epoch. */
  SESSIONS: KVNamespace;
  /** Public, content-addressed pictures. */
  MEDIA: R2Bucket;
  /** Verification documents; no public route. */
  DOCUMENTS: R2Bucket;
  /** One object a user: the live channel. */
  USER_HUB: DurableObjectNamespace<UserHub>;
  /** The build's static files; none where tests run without a build. */
  ASSETS?: Fetcher;
  /** Cloudflare Email Sending; used where MAIL_TRANSPORT is "cloudflare". */
  EMAIL?: SendEmail;
  /** Safaricom and a mailbox on the desk; bound in the local environment only. */
  SANDBOX?: Fetcher;
  /** Requests an address may make to sign-in, payments and the like, each counted by itself; campus NAT: many students share one. */
  LIMIT_ADDRESS: RateLimit;
  /** Tries an account may make to sign in. */
  LIMIT_SIGN_IN: RateLimit;
  /** Payment requests an account may make. */
  LIMIT_PAYMENT: RateLimit;
  /** Other writes an account may make. */
  LIMIT_WRITE: RateLimit;

  /** "local" or "production". */
  APP_ENV: string;
  /** Scheme, host and port that people and Safaricom reach us at, without a slash at the end. */
  APP_ORIGIN: string;
  /** Comma-separated e-mail addresses whose accounts are made admin at sign-in. */
  ADMIN_EMAILS: string;
  /** "sandbox" or "production": in production mode nothing is sent to Safaricom unless the whole configuration can work. */
  DARAJA_MODE: string;
  DARAJA_BASE_URL: string;
  DARAJA_SHORTCODE: string;
  /** "paybill" or "till". */
  DARAJA_KIND: string;
  /** The till number, where DARAJA_KIND is "till". */
  DARAJA_TILL: string;
  /** The shortcode that payouts leave from. */
  DARAJA_PAYOUT_SHORTCODE: string;
  DARAJA_INITIATOR: string;
  /** The least time between two payment queries, ms (Safaricom's sandbox allows one in 12 s). */
  DARAJA_QUERY_SPACING_MS: string;
  /** "sandbox", "cloudflare" or "resend". */
  MAIL_TRANSPORT: string;
  MAIL_FROM: string;
  /** Sign-in with Google appears where this and GOOGLE_CLIENT_SECRET are set. */
  GOOGLE_CLIENT_ID: string;
  /** Who signs the identity tokens; its discovery document names the endpoints. */
  GOOGLE_ISSUER: string;

  /** Signs cookies: comma-separated, newest first. */
  SESSION_SECRETS: string;
  /** Keys the password hashes beside their salt. */
  PASSWORD_PEPPER: string;
  DARAJA_CONSUMER_KEY: string;
  DARAJA_CONSUMER_SECRET: string;
  DARAJA_PASSKEY: string;
  /** The initiator's password, encrypted offline with Safaricom's certificate. */
  DARAJA_SECURITY_CREDENTIAL: string;
  RESEND_API_KEY?: string;
  GOOGLE_CLIENT_SECRET?: string;
}
