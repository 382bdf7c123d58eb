import { createHash } from "node:crypto";
import { type Database, openDatabase } from "#app/db/client.ts";
import { type Meter, meterDatabase } from "#app/db/meter.ts";
import type { Patience } from "#app/db/patience.ts";
import { createIssuerCookie } from "#app/accounts/login/issuer-sign-in.server.ts";
import { createDevices } from "#app/accounts/login/devices.server.ts";
import { createFirstStepCookie } from "#app/accounts/two-step/second-step.server.ts";
import { createPendingEmail } from "#app/accounts/login/pending-email.server.ts";
import { createSessions } from "#app/accounts/login/session.server.ts";
import { createFlash } from "#app/platform/flash.server.ts";
import { createPendingAction } from "#app/catalogue/product/pending-action.server.ts";
import { issuerPath, normalizeEmail } from "#app/accounts/login/account-rules.ts";
import { isPublicHttps, secretName } from "#app/accounts/login/issuer-rules.ts";
import type { Issuer, Issuers } from "#app/accounts/login/issuer.ts";
import type { Services } from "#app/request/services.ts";
import { DEAL_HOURS } from "#app/orders/deal-timer-rules.ts";
import type { Mailer } from "#app/notifications/mailer.ts";
import type { PaymentGateway } from "#app/payments/gateway.ts";
import { createDarajaGateway } from "./daraja/client.ts";
import { type DarajaDeps } from "#workers/daraja/calls.ts";
import type { DarajaConfig } from "./daraja/config.ts";
import { createTokenHolder } from "./daraja/token-holder.ts";
import type { Env } from "./env.ts";
import { createIssuerSignIn } from "./issuers/issuer-sign-in.ts";
import { drainOutbox, sendFromOutbox } from "./jobs/send-outbox.ts";
import { createListingCounter } from "./counting/create-listing-counter.ts";
import { createNotifier } from "./live/notifier.ts";
import { log } from "./log.ts";
import { createMailer } from "./mail/mailer.ts";
import { meterBindings } from "./metered-bindings.ts";
import { createPushSender } from "./push/push-sender.ts";

/** What the services need to know of the request or job that they serve. */
export interface RequestScope {
  waitUntil(work: Promise<unknown>): void;
  requestId: string;
  meter: Meter;
  /** How long to wait for a database that is away. By default as long as a person waits for a page. */
  patience?: Patience;
}

/** How long a request waits for its email to leave, ms. A slower email still leaves, after the answer. */
const MAIL_WAIT_MS = 4_000;
const SANDBOX_ISSUER_HOST = "university.sandbox.internal";

/** The only place that turns `env` into services. */
export function createServices(bindings: Env, scope: RequestScope, now: () => number = Date.now): Services {
  const env = meterBindings(bindings, scope.meter);
  const logWith = (event: { event: string } & Record<string, unknown>) => log({ requestId: scope.requestId, ...event });
  const defer = (work: Promise<unknown>) => {
    scope.waitUntil(
      work.catch((error: unknown) =>
        logWith({ event: "deferred_work_failed", level: "error", error: describe(error) }),
      ),
    );
  };
  const outbound: typeof fetch = env.SANDBOX ? fetchThrough(env.SANDBOX) : (input, init) => fetch(input, init);
  const mailer = () => countEmails(createMailer(env, outbound), scope.meter);
  const senders = () => ({ mailer: mailer(), push: createPushSender(env, outbound) });
  const cookies = { secrets: list(env.SESSION_SECRETS), secure: env.APP_ORIGIN.startsWith("https:") };
  const d1 = meterDatabase(env.DB, scope.meter);
  const db = openDatabase(d1, scope.patience);
  const pause = (ms: number) => scheduler.wait(ms);
  const outbox = { db, now, log: logWith, pause };
  let gateway: PaymentGateway | undefined;
  return {
    db,
    now,
    log: logWith,
    pause,
    defer,
    origin: env.APP_ORIGIN,
    supportEmail: env.SUPPORT_EMAIL,
    controller: {
      name: env.CONTROLLER_NAME,
      address: env.CONTROLLER_ADDRESS,
      registration: env.CONTROLLER_REGISTRATION,
    },
    mailCarrier: mailCarrierOf(env),
    sessions: createSessions(env.SESSIONS, { ...cookies, now }),
    flash: createFlash(cookies),
    // Most requests use none of these.
    get devices() {
      return createDevices({ ...cookies, pepper: env.PASSWORD_PEPPER });
    },
    get firstStep() {
      return createFirstStepCookie(cookies);
    },
    get pendingEmail() {
      return createPendingEmail(cookies);
    },
    get pendingAction() {
      return createPendingAction(cookies);
    },
    issuers: issuersOf(env, { fetch: outbound, now }),
    get issuerCookie() {
      return createIssuerCookie(cookies);
    },
    get push() {
      return createPushSender(env, outbound);
    },
    documents: env.DOCUMENTS,
    media: env.MEDIA,
    passwordPepper: env.PASSWORD_PEPPER,
    adminEmails: list(env.ADMIN_EMAILS).map(normalizeEmail),
    notifier: createNotifier(env.USER_HUB, logWith),
    listingCounter: createListingCounter(env.LISTING_COUNTER, logWith),
    payments: {
      mode: darajaMode(env),
      querySpacingMs: Number(env.DARAJA_QUERY_SPACING_MS),
      pullNumber: env.DARAJA_PULL_NUMBER,
    },
    deals: { inspectionHours: inspectionHoursOf(env), codeKey: env.HANDOVER_CODE_KEY },
    get gateway() {
      gateway ??= daraja(env, db.$client, { fetch: outbound, now, log: logWith });
      return gateway;
    },
    get credentialHash() {
      return darajaMode(env) === "sandbox" ? null : hashOf(env.DARAJA_SECURITY_CREDENTIAL);
    },
    adminsNeedTwoSteps: env.ADMIN_TWO_STEP !== "optional",
    limits: {
      address: (key) => allowed(env.LIMIT_ADDRESS, key),
      signIn: (key) => allowed(env.LIMIT_SIGN_IN, key),
      payment: (key) => allowed(env.LIMIT_PAYMENT, key),
      write: (key) => allowed(env.LIMIT_WRITE, key),
    },
    sendMailNow: (key) => {
      const sending = sendFromOutbox(outbox, senders(), key);
      defer(sending);
      return Promise.race([sending, scheduler.wait(MAIL_WAIT_MS).then(() => false)]);
    },
    drainOutbox: () => defer(drainOutbox(outbox, senders())),
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function countEmails(mailer: Mailer, meter: Meter): Mailer {
  return {
    send(mail, key) {
      meter.emails += 1;
      return mailer.send(mail, key);
    },
  };
}

/** The database for what stands outside a request. */
export function openDatabaseOf(env: Pick<Env, "DB">): Database {
  return openDatabase(env.DB);
}

/** Built on the first payment, so that a faulty configuration stops payments and not every page. */
function daraja(env: Env, d1: D1Database, deps: Pick<DarajaDeps, "fetch" | "now" | "log">): PaymentGateway {
  const config = {
    mode: darajaMode(env),
    baseUrl: env.DARAJA_BASE_URL,
    shortcode: env.DARAJA_SHORTCODE,
    kind: env.DARAJA_KIND === "till" ? "till" : "paybill",
    till: env.DARAJA_TILL,
    payoutShortcode: env.DARAJA_PAYOUT_SHORTCODE,
    initiator: env.DARAJA_INITIATOR,
    consumerKey: env.DARAJA_CONSUMER_KEY,
    consumerSecret: env.DARAJA_CONSUMER_SECRET,
    passkey: env.DARAJA_PASSKEY,
    securityCredential: env.DARAJA_SECURITY_CREDENTIAL,
    callbackOrigin: env.APP_ORIGIN,
    timeoutMs: 30_000,
  } satisfies DarajaConfig;
  return createDarajaGateway(config, { ...deps, tokens: createTokenHolder(d1, { now: deps.now }) });
}

/** Google is an issuer like those of universities, but named by variables, and vouches for any address. */
function issuersOf(env: Env, deps: { fetch: typeof fetch; now(): number }): Issuers {
  const google: Issuer | null =
    env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
      ? {
          key: "google",
          name: "Google",
          url: env.GOOGLE_ISSUER,
          clientId: env.GOOGLE_CLIENT_ID,
          domain: null,
          campus: null,
        }
      : null;
  const secretOf = (domain: string | null) =>
    (domain === null ? env.GOOGLE_CLIENT_SECRET : env[secretName(domain)]) || null;
  const mayAsk = (url: string) => isPublicHttps(url) || (env.SANDBOX !== undefined && isSandboxIssuer(env, url));
  return {
    google,
    mayAsk,
    hasSecret: (domain) => secretOf(domain) !== null,
    open: (issuer) =>
      createIssuerSignIn(
        {
          ...issuer,
          clientSecret: secretOf(issuer.domain),
          redirectUri: `${env.APP_ORIGIN}${issuerPath(issuer.key, "callback")}`,
        },
        { ...deps, mayAsk },
      ),
  };
}

/** The pretend university of a developer's machine, whose page is at the app's own address. */
function isSandboxIssuer(env: Env, url: string): boolean {
  return [`https://${SANDBOX_ISSUER_HOST}`, env.APP_ORIGIN].includes(URL.parse(url)?.origin ?? "");
}

/** The operator's period in hours. Anything but a number from 0 counts as not set. */
function inspectionHoursOf(env: Env): number {
  const hours = Number(env.ESCROW_INSPECTION_HOURS || NaN);
  return hours >= 0 ? hours : DEAL_HOURS.inspection;
}

function mailCarrierOf({ MAIL_TRANSPORT: name }: Env): Services["mailCarrier"] {
  return name === "resend" || name === "cloudflare" ? name : "sandbox";
}

function darajaMode(env: Env): "sandbox" | "production" {
  return env.DARAJA_MODE === "production" ? "production" : "sandbox";
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function fetchThrough(binding: Fetcher): typeof fetch {
  return (input, init) => binding.fetch(new Request(input, init));
}

async function allowed(limiter: RateLimit, key: string): Promise<boolean> {
  const { success } = await limiter.limit({ key });
  return success;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
