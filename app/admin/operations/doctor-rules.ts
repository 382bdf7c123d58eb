/** The checks of `npm run doctor`: their names, and what to do about each. */
import { ALARMS, CREDENTIAL_LIFE_DAYS } from "./alarm-rules.ts";

/**
 * ok: it works. bad: somebody must do something. unknown: it can't be told, for example because M-Pesa's answer doesn't
 * say.
 */
export type FindingState = "ok" | "bad" | "unknown";

export interface Finding {
  check: DoctorCheck;
  state: FindingState;
  /** What was found, in words, without secrets. */
  fact: string;
  /** What a person must do this week, though it isn't wrong yet. */
  due?: string;
}

export const DOCTOR_CHECKS = {
  ids: {
    name: "Names and ids",
    fix: "Put the ids that wrangler printed into wrangler.toml (docs/deploying.md, step 2).",
  },
  variables: {
    name: "Variables",
    fix: "Write each as docs/deploying.md, step 3, describes it, without spaces around it.",
  },
  address: {
    name: "Public address",
    fix: "APP_ORIGIN is https, on your own domain, and without the words that Safaricom refuses. routes has its host.",
  },
  mail_settings: {
    name: "Email settings",
    fix: "MAIL_FROM and SUPPORT_EMAIL are addresses of your domain. MAIL_TRANSPORT is resend (with the secret RESEND_API_KEY) or cloudflare.",
  },
  controller: {
    name: "Who answers for the data",
    fix: "CONTROLLER_NAME and CONTROLLER_ADDRESS name who runs this, and CONTROLLER_REGISTRATION is the number of the data commissioner's certificate. docs/law.md says who needs one.",
  },
  operators: { name: "Operators", fix: "ADMIN_EMAILS names who runs this: at least two people, with commas between." },
  daraja_settings: {
    name: "M-Pesa settings",
    fix: "Fill in the DARAJA_ variables of [env.production] (docs/deploying/safaricom.md).",
  },
  university_logins: {
    name: "Universities' logins",
    fix: "Compare the issuer at /admin/universities with the university's. A client secret is set with: npx wrangler secret put NAME --env production",
  },
  login: { name: "Cloudflare login", fix: "Log in: npx wrangler login" },
  secrets: { name: "Secrets", fix: "Set each with: npx wrangler secret put NAME --env production" },
  secret_strength: {
    name: "Strength of the secrets",
    fix: "Each of SESSION_SECRETS, PASSWORD_PEPPER and HANDOVER_CODE_KEY is a text of its own: openssl rand -hex 32",
  },
  credential: {
    name: "Security credential",
    fix: "Encrypt the initiator's password with Safaricom's production certificate (docs/deploying/safaricom.md), and set DARAJA_SECURITY_CREDENTIAL.",
  },
  credential_age: {
    name: "Age of the credential",
    fix: "Safaricom's passwords end after 90 days: set a new one for the initiator, and the credential made from it (docs/deploying/safaricom.md).",
  },
  secret_ages: {
    name: "Ages of the secrets",
    fix: "Set a new one, and let the old one end (docs/deploying/keys.md).",
  },
  two_steps: {
    name: "Admins' second step",
    fix: 'Set ADMIN_TWO_STEP = "required" in [env.production] of wrangler.toml, and deploy: a stolen password alone must not move money.',
  },
  keys: {
    name: "Copies of the keys",
    fix: "Keep the deployed ones in your password manager. What differs is no help after a loss (docs/deploying/keys.md).",
  },
  deployed_settings: {
    name: "Deployed variables",
    fix: "Deploy what wrangler.toml says (npm run deploy), or put back there what is deployed.",
  },
  certificate: {
    name: "Certificate",
    fix: "Cloudflare renews it by itself, 30 days before. Look under SSL/TLS, Edge Certificates, why it hasn't.",
  },
  copy_age: {
    name: "Age of the copy",
    fix: "Make a copy of the database and of the buckets: npm run backup -- copy.jsonl (docs/recovery.md).",
  },
  waiting: { name: "What waits for people", fix: "Open /admin." },
  database: {
    name: "Database",
    fix: "Run npm run deploy, which applies what is missing. docs/deploying.md has a table of the lines.",
  },
  buckets: { name: "Buckets", fix: "Create what is missing: npx wrangler r2 bucket create NAME" },
  deployed: {
    name: "Deployed worker",
    fix: "Deploy (npm run deploy), and look whether APP_ORIGIN leads to the worker. With --local: npm start, with the same PORT.",
  },
  parts: {
    name: "Parts of the worker",
    fix: "Look at the bindings under Workers, chuoni, Settings in Cloudflare's dashboard.",
  },
  clock: {
    name: "Clock",
    fix: "Set your own clock. M-Pesa's passwords hold the time of Cloudflare's, which is right.",
  },
  job: {
    name: "Scheduled job",
    fix: "Look under Workers, chuoni, Settings, Triggers for the cron * * * * *, and deploy again. A first run takes up to 15 minutes.",
  },
  alarms: { name: "Alarms", fix: "Open /admin/operations: each alarm says what to do." },
  callbacks: {
    name: "Callbacks from outside",
    fix: "Turn Bot Fight Mode off, and skip all WAF rules for paths that begin with /hooks/pay/ (docs/deploying/cloudflare.md).",
  },
  email: {
    name: "Email to the operators",
    fix: "Look at /admin/operations for the provider's error: 401 is a wrong key, 403 a domain that isn't verified, 429 a used-up quota.",
  },
  initiator: {
    name: "M-Pesa's initiator",
    fix: "docs/deploying/safaricom.md says how to make the initiator, its roles and its credential.",
  },
  pay_in: {
    name: "KES 10 in",
    fix: "Look at the code in docs/m-pesa.md. If the money left the phone, it is in the paybill: send it back in the portal.",
  },
  pay_out: {
    name: "KES 10 out",
    fix: "Code 1: fund the utility account of the B2C shortcode. 21 or 2028: the initiator lacks a role. 2001 or 8006: set a new credential.",
  },
  pay_back: {
    name: "KES 10 reversed",
    fix: "Code 21: the initiator lacks Org Reversals Initiator. Until it works, send the KES 10 back in the portal.",
  },
} as const satisfies Record<string, { name: string; fix: string }>;

export type DoctorCheck = keyof typeof DOCTOR_CHECKS;

/** KES that the payments of the doctor move. M-Pesa pays out no less. */
export const DOCTOR_AMOUNT = 10;

/** What the answer to a look-up of a receipt that doesn't exist says about the initiator. `code`: M-Pesa's. */
export function initiatorFinding(code: string): Finding {
  const said = (state: FindingState, fact: string): Finding => ({
    check: "initiator",
    state,
    fact: `${fact} (${code})`,
  });
  // It looked for the receipt, so the name, the credential and the role are right.
  if (code === "2032" || code === "0")
    return said("ok", "M-Pesa knows it, its credential and its role for Transaction Status");
  if (code === "21" || code === "2028") return said("bad", "it lacks the role Transaction Status query ORG API");
  if (code === "8006") return said("bad", "its credential is locked after wrong tries. Set a new password");
  if (["2001", "18", "20"].includes(code))
    return said("bad", "M-Pesa doesn't know its name, or the credential is wrong or older than 90 days");
  return said("unknown", "M-Pesa's answer doesn't tell");
}

/** `days`: since the credential was first seen; null where it wasn't yet. */
export function credentialAgeFinding(days: number | null): Finding {
  const check = "credential_age";
  if (days === null) return { check, state: "unknown", fact: "not known yet: the job notes it at its next run" };
  const fact = `first seen ${days === 0 ? "today" : days === 1 ? "a day ago" : `${days} days ago`}`;
  if (ALARMS.credential_old.isOut(days)) return { check, state: "bad", fact };
  const left = CREDENTIAL_LIFE_DAYS - days;
  return {
    check,
    state: "ok",
    fact,
    ...(left <= CREDENTIAL_DUE_DAYS && { due: `${fixOf(check)} ${left} days are left.` }),
  };
}

/** After so many days a secret that can be changed without loss is due. */
const SECRET_DUE_DAYS = 365;

/** A new one of these takes something from people, so only a leak asks for it. */
const KEPT_SECRETS = ["PASSWORD_PEPPER", "HANDOVER_CODE_KEY", "VAPID_PRIVATE_KEY", "DARAJA_PASSKEY"];

/** `days`: since the doctor first saw each secret. None of them is wrong because of its age. */
export function secretAgesFinding(secrets: readonly { name: string; days: number }[]): Finding {
  const check = "secret_ages";
  const ages = secrets.toSorted((one, other) => other.days - one.days || one.name.localeCompare(other.name));
  const old = ages.filter(({ name, days }) => days >= SECRET_DUE_DAYS && !KEPT_SECRETS.includes(name));
  return {
    check,
    state: "ok",
    fact: `days since the doctor first saw them: ${ages.map(({ name, days }) => `${name} ${days}`).join(", ")}`,
    ...(old.length > 0 && { due: `${old.map(({ name }) => name).join(", ")}: a year old. ${fixOf(check)}` }),
  };
}

/** So many days before its password ends, a new credential is due. The alarm comes later. */
const CREDENTIAL_DUE_DAYS = 17;
/** A copy is due each week. One as old as this is no plan any more. */
const COPY_DUE_DAYS = 7;
const COPY_OLD_DAYS = 30;
/** Cloudflare renews a certificate 30 days before it ends. */
const CERTIFICATE_LATE_DAYS = 14;

function fixOf(check: DoctorCheck): string {
  return DOCTOR_CHECKS[check].fix;
}

/** `days`: since the last copy was made; null where none was noted. */
export function copyAgeFinding(days: number | null): Finding {
  const check = "copy_age";
  if (days === null) return { check, state: "unknown", fact: "none was made yet", due: fixOf(check) };
  const fact = days === 0 ? "made today" : days === 1 ? "made a day ago" : `made ${days} days ago`;
  if (days >= COPY_OLD_DAYS) return { check, state: "bad", fact };
  return { check, state: "ok", fact, ...(days >= COPY_DUE_DAYS && { due: fixOf(check) }) };
}

/** `days`: until the certificate of the address ends. */
export function certificateFinding(days: number): Finding {
  return { check: "certificate", state: days < CERTIFICATE_LATE_DAYS ? "bad" : "ok", fact: `ends in ${days} days` };
}

/** `counts`: how many wait, by what they are called. */
export function waitingFinding(counts: Record<string, number>): Finding {
  const waiting = Object.entries(counts).filter(([, count]) => count > 0);
  if (waiting.length === 0) return { check: "waiting", state: "ok", fact: "nothing" };
  const fact = waiting.map(([name, count]) => `${name}: ${count}`).join(", ");
  return { check: "waiting", state: "ok", fact, due: `Look at what waits at /admin: ${fact}.` };
}

/**
 * What of this checkout isn't what is deployed. `ours` and `theirs`: by name, a value's print (`printsOf` in
 * workers/api/doctor.ts).
 * @returns the names whose prints differ, or that aren't deployed
 */
export function findOthers(ours: Record<string, string>, theirs: Record<string, string>): string[] {
  return Object.keys(ours).filter((name) => ours[name] !== theirs[name]);
}

/** The secrets that only we know, and that an operator keeps a copy of (docs/deploying/keys.md). */
export const OWN_KEYS = ["SESSION_SECRETS", "PASSWORD_PEPPER", "HANDOVER_CODE_KEY"] as const;

/** Each line that is due this week, once. */
export function weekOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.flatMap(({ due }) => due ?? []))];
}

/** Whether every admin needs a second step for their login. */
export function twoStepsFinding(areNeeded: boolean): Finding {
  const check = "two_steps";
  return areNeeded
    ? { check, state: "ok", fact: "every admin needs a second step" }
    : { check, state: "bad", fact: "admins log in with a password alone" };
}

/** A production credential: 256 encrypted bytes in base64. A plain password isn't one. */
export function isEncryptedCredential(credential: string): boolean {
  return /^[A-Za-z0-9+/]{342}==$/.test(credential);
}

/** Which of the secrets that we make ourselves are too short, or the same as another. */
export function findWeakSecrets(secrets: Record<string, string>): string[] {
  const entries = Object.entries(secrets).flatMap(([name, value]) =>
    value.split(",").map((part) => [name, part.trim()] as const),
  );
  const weak = entries.filter(([, value]) => value.length < 32).map(([name]) => `${name} has less than 32 characters`);
  const same = entries.filter(([, value], n) => entries.findIndex(([, other]) => other === value) < n);
  return [...new Set([...weak, ...same.map(([name]) => `${name} is used twice`)])];
}
