/** What to remember between leaving for Google and coming back. It travels in a signed cookie. */
export interface GooglePending {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who came back, as signed by Google. */
export interface GoogleIdentity {
  /** Google's own id of the person. Unlike the email it never changes. */
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
}

/** Google refused, or its answer is not valid. `cancelled`: the person changed their mind. */
export class GoogleRefused extends Error {
  override name = "GoogleRefused";
  readonly cancelled: boolean;
  constructor(cancelled: boolean, cause: unknown) {
    super(cancelled ? "cancelled" : "refused", { cause });
    this.cancelled = cancelled;
  }
}

/** Google login. It exists only where it is configured. */
export interface GoogleSignIn {
  /** Where to send the browser. Throws where Google cannot be reached. */
  start(): Promise<{ url: string; pending: GooglePending }>;
  /** Who came back to `callback`, the full address. Throws GoogleRefused, or another error where Google cannot be reached. */
  finish(callback: URL, pending: GooglePending): Promise<GoogleIdentity>;
}
