/** What must be remembered between leaving for Google and coming back; travels in a signed cookie. */
export interface GooglePending {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who came back, as Google signed it. */
export interface GoogleIdentity {
  /** Google's own id of the person; never changes, unlike the address. */
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
}

/** Google did not vouch for anybody: it said no, or its answer does not hold up. `cancelled`: the person changed their mind. */
export class GoogleRefused extends Error {
  override name = "GoogleRefused";
  readonly cancelled: boolean;
  constructor(cancelled: boolean, cause: unknown) {
    super(cancelled ? "cancelled" : "refused", { cause });
    this.cancelled = cancelled;
  }
}

/** Sign-in with Google; exists only where it is configured (design §6). */
export interface GoogleSignIn {
  /** Where to send the browser. Throws where Google cannot be reached. */
  start(): Promise<{ url: string; pending: GooglePending }>;
  /** Who came back to `callback`, the full address. Throws GoogleRefused, or another error where Google cannot be reached. */
  finish(callback: URL, pending: GooglePending): Promise<GoogleIdentity>;
}
