import type { Devices } from "#app/accounts/login/devices.server.ts";
import type { Issuers } from "#app/accounts/login/issuer.ts";
import type { IssuerCookie } from "#app/accounts/login/issuer-sign-in.server.ts";
import type { FirstStepCookie } from "#app/accounts/two-step/second-step.server.ts";
import type { PendingEmail } from "#app/accounts/login/pending-email.server.ts";
import type { Sessions } from "#app/accounts/login/session.server.ts";
import type { PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import type { PushSender } from "#app/notifications/push/push.ts";
import type { Flash } from "#app/platform/flash.server.ts";
import type { PendingAction } from "#app/catalogue/product/pending-action.server.ts";
import type { SignUpServices } from "#app/accounts/login/sign-up.server.ts";
import type { ListingCounter } from "#app/upkeep/listing-counter.ts";
import type { DealServices } from "#app/deals/deal-services.ts";

/** Rate limits. Each call counts one and answers whether it is still allowed. */
export interface Limits {
  /** For one network address. Generous, because the students of a campus share one. */
  address(key: string): Promise<boolean>;
  signIn(key: string): Promise<boolean>;
  payment(key: string): Promise<boolean>;
  write(key: string): Promise<boolean>;
}

/**
 * Who answers for people's data, as the Privacy Policy names them. A text is empty where the operator hasn't set it.
 */
export interface Controller {
  name: string;
  address: string;
  /** The number of the data commissioner's certificate. */
  registration: string;
}

/** Everything a request may use. `workers/services.ts` makes it; use cases take only the parts they need. */
export interface Services extends DealServices, SignUpServices, PhotoServices {
  /** This site's own: scheme, host and port. */
  origin: string;
  /** The email address for people who need help. */
  supportEmail: string;
  controller: Controller;
  /** Who delivers our emails. */
  mailCarrier: "resend" | "cloudflare" | "sandbox";
  sessions: Sessions;
  devices: Devices;
  flash: Flash;
  firstStep: FirstStepCookie;
  pendingEmail: PendingEmail;
  pendingAction: PendingAction;
  issuers: Issuers;
  issuerCookie: IssuerCookie;
  /** SHA-256 of M-Pesa's security credential, in hexadecimal; null in the sandbox, which takes any. */
  credentialHash: string | null;
  /** Whether admins must log in with a second step. */
  adminsNeedTwoSteps: boolean;
  limits: Limits;
  listingCounter: ListingCounter;
  /** Null when it isn't configured. */
  push: PushSender | null;
  /** Keeps work running after the response is sent. Failures are logged. */
  defer(work: Promise<unknown>): void;
  /** Sends the effects in the outbox, after the response. */
  drainOutbox(): void;
}
