/** Every binding and variable of the app's worker, as declared in `wrangler.toml`. */
import type { ListingCounter } from "./counting/listing-counter.ts";
import type { UserHub } from "./live/user-hub.ts";

export interface Env {
  /** The one database. Only services.ts uses it. */
  DB: D1Database;
  /** The sessions: cookie id → user id and epoch. */
  SESSIONS: KVNamespace;
  /** Public, content-addressed pictures. */
  MEDIA: R2Bucket;
  /** Verification documents; no public route. */
  DOCUMENTS: R2Bucket;
  /** The live channel: one object for each user. */
  USER_HUB: DurableObjectNamespace<UserHub>;
  /** Counts the views of listings: one object for all. */
  LISTING_COUNTER: DurableObjectNamespace<ListingCounter>;
  /** Cloudflare Email Sending; used where MAIL_TRANSPORT is "cloudflare". */
  EMAIL?: SendEmail;
  /** The local sandbox: Safaricom and a mailbox. Not bound in production. */
  SANDBOX?: Fetcher;
  /**
   * Limits requests from one network address, counted for each purpose. Generous, because the students of a campus
   * share an address.
   */
  LIMIT_ADDRESS: RateLimit;
  /** Limits login attempts for one account. */
  LIMIT_SIGN_IN: RateLimit;
  /** Limits payment requests of one account. */
  LIMIT_PAYMENT: RateLimit;
  /** Limits other writes of one account. */
  LIMIT_WRITE: RateLimit;

  /** "local", "staging" or "production". */
  APP_ENV: string;
  /** The public address: scheme, host and port, without a slash at the end. */
  APP_ORIGIN: string;
  /** Comma-separated email addresses. Their accounts become owners when they first log in. */
  ADMIN_EMAILS: string;
  /** "optional" lets admins in without a second step of the login. Anything else requires it. */
  ADMIN_TWO_STEP: string;
  /**
   * "sandbox" or "production". In production mode nothing is sent to Safaricom until the whole configuration is valid.
   */
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
  /**
   * The number that M-Pesa nominated for Pull Transactions (254XXXXXXXXX); empty where the shortcode doesn't have them.
   */
  DARAJA_PULL_NUMBER: string;
  /** "sandbox", "cloudflare" or "resend". */
  MAIL_TRANSPORT: string;
  MAIL_FROM: string;
  /** The email address for people who need help. Replies to our emails go there, too. */
  SUPPORT_EMAIL: string;
  /** Who runs this, as the Privacy Policy and the Terms of Service name them: a person or a company. */
  CONTROLLER_NAME: string;
  CONTROLLER_ADDRESS: string;
  /** The number of the data commissioner's certificate. Empty without one. */
  CONTROLLER_REGISTRATION: string;
  /** Google login is available if this and GOOGLE_CLIENT_SECRET are set. */
  GOOGLE_CLIENT_ID: string;
  /** The OpenID Connect issuer. Its discovery document names the endpoints. */
  GOOGLE_ISSUER: string;

  /**
   * How long a buyer can report a problem after delivery, in hours; twice that for some sellers (docs/product-rules.md,
   * "Deals"). "0" turns the inspection off.
   */
  ESCROW_INSPECTION_HOURS: string;

  /** The key from which handover codes are derived. A new one changes the codes of all open deals. */
  HANDOVER_CODE_KEY: string;
  /** Signs cookies: comma-separated, newest first. */
  SESSION_SECRETS: string;
  /** A secret key for password hashes, besides each hash's salt. */
  PASSWORD_PEPPER: string;
  DARAJA_CONSUMER_KEY: string;
  DARAJA_CONSUMER_SECRET: string;
  DARAJA_PASSKEY: string;
  /** The initiator's password, encrypted offline with Safaricom's certificate. */
  DARAJA_SECURITY_CREDENTIAL: string;
  RESEND_API_KEY?: string;
  /**
   * Signs what goes to push services (RFC 8292), base64url. Without it nobody is asked for notifications on their
   * device.
   */
  VAPID_PRIVATE_KEY?: string;
  GOOGLE_CLIENT_SECRET?: string;
  /** The client secret of a university's login (`secretName`). A public client has none. */
  [secret: `OIDC_SECRET_${string}`]: string | undefined;
}
