/** The values to remember between leaving for Google and coming back. They travel in a signed cookie. */
export interface GooglePending {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The person that Google has identified and signed for. */
export interface GoogleIdentity {
  /** Google's own id of the person. Unlike the email it never changes. */
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
}

/** Google refused, or its answer is invalid. `cancelled`: the person changed their mind. */
export class GoogleRefused extends Error {
  override name = "GoogleRefused";
  readonly cancelled: boolean;
  constructor(cancelled: boolean, cause: unknown) {
    super(cancelled ? "cancelled" : "refused", { cause });
    this.cancelled = cancelled;
  }
}

/** Google login. Only available when it is configured. */
export interface GoogleSignIn {
  /** The address to send the browser to. Throws when Google can't be reached. */
  start(): Promise<{ url: string; pending: GooglePending }>;
  /**
   * The person who came back to `callback` (a full address). Throws GoogleRefused, or another error when Google can't
   * be reached.
   */
  finish(callback: URL, pending: GooglePending): Promise<GoogleIdentity>;
}
