/** Who identifies people for us over OpenID Connect: Google, or a university for the addresses that it gives out. */
export interface Issuer {
  /** Its name in addresses: "google", or the email domain of the university. */
  key: string;
  /** What its button says. */
  name: string;
  /** Its URL. The discovery document there names the endpoints. */
  url: string;
  clientId: string;
  /** It vouches for addresses at this domain and below it; null: for each address that it has verified. */
  domain: string | null;
  /** Where its people study, if that is one campus. */
  campus: { id: number; name: string } | null;
}

/** The values to remember between leaving for an issuer and coming back. They travel in a signed cookie. */
export interface IssuerPending {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The person that an issuer has identified and signed for. */
export interface IssuerIdentity {
  /** The issuer's own id of the person. Unlike the email it never changes. */
  subject: string;
  email: string;
  /** Null where the issuer doesn't say. */
  emailVerified: boolean | null;
  name: string;
}

/** The issuer refused, or its answer is invalid. `cancelled`: the person changed their mind. */
export class IssuerRefused extends Error {
  override name = "IssuerRefused";
  readonly cancelled: boolean;
  constructor(cancelled: boolean, cause: unknown) {
    super(cancelled ? "cancelled" : "refused", { cause });
    this.cancelled = cancelled;
  }
}

/** The login of one issuer. */
export interface IssuerSignIn {
  /** The address to send the browser to. Throws when the issuer can't be reached. */
  start(): Promise<{ url: string; pending: IssuerPending }>;
  /**
   * The person who came back to `callback` (a full address). Throws IssuerRefused, or another error when the issuer
   * can't be reached.
   */
  finish(callback: URL, pending: IssuerPending): Promise<IssuerIdentity>;
}

/** What this deployment can do with issuers. */
export interface Issuers {
  /** Null when it isn't configured. */
  google: Issuer | null;
  open(issuer: Issuer): IssuerSignIn;
  /** Whether our servers may ask this address (`isPublicHttps`). */
  mayAsk(url: string): boolean;
  /** Whether the deployment has a client secret for a university's login. A public client needs none. */
  hasSecret(domain: string): boolean;
}
