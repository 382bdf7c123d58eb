/** What `npm run doctor` says about a configuration: each thing that is wrong has its line, and what to do. */
import { describe, expect, test } from "vitest";
import {
  certificateFinding,
  copyAgeFinding,
  credentialAgeFinding,
  secretAgesFinding,
  DOCTOR_CHECKS,
  type DoctorCheck,
  findWeakSecrets,
  initiatorFinding,
  isEncryptedCredential,
  waitingFinding,
  weekOf,
} from "#app/admin/operations/doctor-rules.ts";
import {
  databaseFinding,
  examineConfiguration,
  findMissingSecrets,
  type Settings,
  readSettings,
} from "#scripts/doctor/configuration.ts";
import { lineOf } from "#scripts/doctor/print.ts";

const GOOD: Settings = {
  name: "chuoni",
  vars: {
    APP_ENV: "production",
    APP_ORIGIN: "https://chuoni.co.ke",
    ADMIN_TWO_STEP: "required",
    ADMIN_EMAILS: "otieno@chuoni.co.ke, wanjiru@chuoni.co.ke",
    DARAJA_MODE: "production",
    DARAJA_BASE_URL: "https://api.safaricom.co.ke",
    DARAJA_SHORTCODE: "4100001",
    DARAJA_KIND: "paybill",
    DARAJA_TILL: "",
    DARAJA_PAYOUT_SHORTCODE: "3000001",
    DARAJA_INITIATOR: "chuoniapi",
    DARAJA_QUERY_SPACING_MS: "12000",
    DARAJA_PULL_NUMBER: "",
    ESCROW_INSPECTION_HOURS: "48",
    GOOGLE_CLIENT_ID: "",
    GOOGLE_ISSUER: "https://accounts.google.com",
    MAIL_TRANSPORT: "resend",
    MAIL_FROM: "Chuoni <hello@chuoni.co.ke>",
    SUPPORT_EMAIL: "support@chuoni.co.ke",
    CONTROLLER_NAME: "Chuoni Limited",
    CONTROLLER_ADDRESS: "P.O. Box 1, Nairobi",
    CONTROLLER_REGISTRATION: "000-0000-0000",
  },
  d1_databases: [{ database_id: "8f1c0a52-3a6d-4a51-9d0e-0d2b7c1f9e11" }],
  kv_namespaces: [{ id: "0f2ac74b498b48028cb68387c421e279" }],
  r2_buckets: [{ bucket_name: "chuoni-media" }, { bucket_name: "chuoni-documents" }],
  routes: [{ pattern: "chuoni.co.ke" }],
  ratelimits: [
    { name: "LIMIT_ADDRESS", namespace_id: "2001" },
    { name: "LIMIT_WRITE", namespace_id: "2002" },
  ],
  secrets: { required: ["SESSION_SECRETS", "PASSWORD_PEPPER"] },
};

function faultsOf(settings: Settings): string[] {
  return examineConfiguration(settings)
    .filter(({ state }) => state === "bad")
    .map(({ check, fact }) => `${check}: ${fact}`);
}

test("a configuration that is filled in has nothing to do", () => {
  expect(faultsOf(GOOD)).toEqual([]);
});

test("the configuration as it comes with the repository has a line for each thing to fill in", () => {
  expect(faultsOf(readSettings("production")).map((line) => line.split(":")[0])).toEqual([
    "ids",
    "address",
    "mail_settings",
    "controller",
    "operators",
    "daraja_settings",
  ]);
});

test.each<[DoctorCheck, string, Partial<Settings["vars"]>]>([
  ["address", "contains", { APP_ORIGIN: "https://mpesa-market.co.ke" }],
  ["address", "is not https", { APP_ORIGIN: "http://chuoni.co.ke" }],
  ["address", "still the example", { APP_ORIGIN: "https://chuoni.example" }],
  ["address", "routes doesn't have shop.chuoni.co.ke", { APP_ORIGIN: "https://shop.chuoni.co.ke" }],
  ["mail_settings", "hello@chuoni.example", { MAIL_FROM: "Chuoni <hello@chuoni.example>" }],
  ["mail_settings", 'MAIL_TRANSPORT is "sandbox"', { MAIL_TRANSPORT: "sandbox" }],
  ["controller", "CONTROLLER_NAME is empty", { CONTROLLER_NAME: " " }],
  ["controller", "CONTROLLER_ADDRESS is empty", { CONTROLLER_ADDRESS: "" }],
  ["operators", "nobody is told", { ADMIN_EMAILS: " " }],
  ["operators", "one alone", { ADMIN_EMAILS: "otieno@chuoni.co.ke" }],
  ["two_steps", "a password alone", { ADMIN_TWO_STEP: "optional" }],
  ["operators", "otieno@chuoni.co.ke is there twice", { ADMIN_EMAILS: "otieno@chuoni.co.ke,Otieno@chuoni.co.ke" }],
  ["variables", "DARAJA_PULL_NUMBER isn't", { DARAJA_PULL_NUMBER: "0712" }],
  ["variables", "DARAJA_QUERY_SPACING_MS is no", { DARAJA_QUERY_SPACING_MS: "12 s" }],
  ["variables", "ESCROW_INSPECTION_HOURS is no", { ESCROW_INSPECTION_HOURS: "abc" }],
  ["variables", "ESCROW_INSPECTION_HOURS is no", { ESCROW_INSPECTION_HOURS: "" }],
  ["variables", "ESCROW_INSPECTION_HOURS is no", { ESCROW_INSPECTION_HOURS: "721" }],
  ["variables", "GOOGLE_CLIENT_ID doesn't", { GOOGLE_CLIENT_ID: "hello" }],
  ["variables", "GOOGLE_ISSUER is", { GOOGLE_ISSUER: "https://accounts.example" }],
  ["variables", "MAIL_FROM begins or ends", { MAIL_FROM: "Chuoni <hello@chuoni.co.ke> " }],
  ["daraja_settings", "DARAJA_INITIATOR has a space", { DARAJA_INITIATOR: "chuoni api" }],
  ["daraja_settings", "the store's number", { DARAJA_KIND: "till", DARAJA_TILL: "4100001" }],
  ["daraja_settings", "sandbox", { DARAJA_SHORTCODE: "174379" }],
  ["daraja_settings", "DARAJA_INITIATOR is empty", { DARAJA_INITIATOR: "" }],
  ["daraja_settings", "DARAJA_PAYOUT_SHORTCODE", { DARAJA_PAYOUT_SHORTCODE: "" }],
  ["daraja_settings", 'DARAJA_MODE is "sandbox"', { DARAJA_MODE: "sandbox" }],
])("%s: %s", (check, words, change) => {
  const faults = faultsOf({ ...GOOD, vars: { ...GOOD.vars, ...change } });
  expect(faults).toEqual([expect.stringContaining(words)]);
  expect(faults[0]).toMatch(new RegExp(`^${check}: `));
});

test("without a registration it can't be told whether one is needed", () => {
  const findings = examineConfiguration({ ...GOOD, vars: { ...GOOD.vars, CONTROLLER_REGISTRATION: "" } });
  expect(findings.filter(({ state }) => state !== "ok")).toMatchObject([{ check: "controller", state: "unknown" }]);
});

const STAGING: Settings = {
  ...GOOD,
  name: "chuoni-staging",
  vars: {
    ...GOOD.vars,
    APP_ENV: "staging",
    APP_ORIGIN: "https://staging.chuoni.co.ke",
    DARAJA_MODE: "sandbox",
    DARAJA_BASE_URL: "https://sandbox.safaricom.co.ke",
    DARAJA_SHORTCODE: "174379",
    DARAJA_INITIATOR: "testapi",
  },
  d1_databases: [{ database_id: "1f1c0a52-3a6d-4a51-9d0e-0d2b7c1f9e11" }],
  kv_namespaces: [{ id: "1f2ac74b498b48028cb68387c421e279" }],
  r2_buckets: [{ bucket_name: "chuoni-staging-media" }, { bucket_name: "chuoni-staging-documents" }],
  routes: [{ pattern: "staging.chuoni.co.ke" }],
  ratelimits: [{ name: "LIMIT_ADDRESS", namespace_id: "3001" }],
};

describe("a rehearsal", () => {
  const faultsOfStaging = (change: Partial<Settings>) =>
    examineConfiguration({ ...STAGING, ...change }, GOOD)
      .filter(({ state }) => state === "bad")
      .map(({ fact }) => fact);

  test("takes Safaricom's sandbox, and nothing that could reach money", () => {
    expect(faultsOfStaging({})).toEqual([]);
    const real = { ...STAGING.vars, DARAJA_MODE: "production", DARAJA_BASE_URL: "https://api.safaricom.co.ke" };
    expect(faultsOfStaging({ vars: real })).toEqual([
      'DARAJA_MODE is "production"; DARAJA_BASE_URL is https://api.safaricom.co.ke',
    ]);
  });

  test.each<keyof Settings>(["name", "d1_databases", "kv_namespaces", "r2_buckets", "ratelimits", "routes"])(
    "shares no %s with the market",
    (what) => {
      expect(faultsOfStaging({ [what]: GOOD[what] }).join()).toContain("is also the other environment's");
    },
  );
});

test.each<[string, Partial<Settings>]>([
  ["the id of the KV namespace isn't", { kv_namespaces: [{ id: "hello" }] }],
  ["the id of the D1 database isn't", { d1_databases: [{ database_id: "0f2ac74b498b48028cb68387c421e279" }] }],
  ["is no name of a bucket", { r2_buckets: [{ bucket_name: "Chuoni media" }] }],
  [
    "chuoni-media is the bucket of two bindings",
    { r2_buckets: [{ bucket_name: "chuoni-media" }, { bucket_name: "chuoni-media" }] },
  ],
  [
    "two ratelimits have the namespace_id 2001",
    {
      ratelimits: [
        { name: "LIMIT_ADDRESS", namespace_id: "2001" },
        { name: "LIMIT_WRITE", namespace_id: "2001" },
      ],
    },
  ],
])("ids: %s", (words, change) => {
  const faults = faultsOf({ ...GOOD, ...change });
  expect(faults).toEqual([expect.stringContaining(words)]);
  expect(faults[0]).toMatch(/^ids: /);
});

test("Resend needs its key, and Cloudflare's email doesn't", () => {
  const names = ["SESSION_SECRETS", "PASSWORD_PEPPER"];
  expect(findMissingSecrets(GOOD, names)).toMatchObject({ state: "bad", fact: "missing: RESEND_API_KEY" });
  const cloudflare = { ...GOOD, vars: { ...GOOD.vars, MAIL_TRANSPORT: "cloudflare" } };
  expect(findMissingSecrets(cloudflare, names)).toMatchObject({ state: "ok" });
  expect(findMissingSecrets(cloudflare, [])).toMatchObject({ fact: "missing: SESSION_SECRETS, PASSWORD_PEPPER" });
  expect(findMissingSecrets(GOOD, null)).toMatchObject({ state: "bad", fact: "none is set yet" });
});

test("a new database has a few lines, and not one for each of the hundreds of things that it lacks", () => {
  const missing = Array.from({ length: 240 }, (_, n) => `table t${n} is missing`);
  const lines = databaseFinding(missing).fact.split("\n");
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)?.trim()).toBe("and 230 more");
  expect(databaseFinding(["trigger t is different"])).toMatchObject({ state: "bad", fact: "trigger t is different" });
  expect(databaseFinding([])).toMatchObject({ state: "ok" });
});

test.each([
  ["2032", "ok"],
  ["21", "bad"],
  ["2001", "bad"],
  ["8006", "bad"],
  ["26", "unknown"],
] as const)("M-Pesa's code %s about the initiator is %s", (code, state) => {
  expect(initiatorFinding(code).state).toBe(state);
});

test("an encrypted credential is told from a plain password", () => {
  expect(isEncryptedCredential(btoa("x".repeat(256)))).toBe(true);
  for (const plain of ["Safaricom999!*!", "", btoa("x".repeat(100)), "a".repeat(344)])
    expect(isEncryptedCredential(plain)).toBe(false);
});

test("short secrets and secrets that are used twice are weak", () => {
  const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [string, string, string];
  expect(findWeakSecrets({ SESSION_SECRETS: `${a},${b}`, PASSWORD_PEPPER: c })).toEqual([]);
  expect(findWeakSecrets({ SESSION_SECRETS: "short", PASSWORD_PEPPER: c })).toEqual([
    "SESSION_SECRETS has less than 32 characters",
  ]);
  expect(findWeakSecrets({ SESSION_SECRETS: a, PASSWORD_PEPPER: a })).toEqual(["PASSWORD_PEPPER is used twice"]);
});

test("a line that needs something says what to do, and no other does", () => {
  for (const check of Object.keys(DOCTOR_CHECKS) as DoctorCheck[]) {
    expect(lineOf({ check, state: "bad", fact: "x" }, "production")).toMatch(/^✗ .*\n {2}→ \S/);
    expect(lineOf({ check, state: "bad", fact: "x" }, "staging")).not.toMatch(/production/);
    expect(lineOf({ check, state: "ok", fact: "x" }, "production")).toMatch(/^✓ [^\n]*x$/);
  }
});

test("a copy is due each week, and wrong after a month", () => {
  expect([null, 0, 6, 7, 29, 30].map((days) => copyAgeFinding(days).state)).toEqual([
    "unknown",
    "ok",
    "ok",
    "ok",
    "ok",
    "bad",
  ]);
  expect([null, 0, 6, 7, 29].map((days) => copyAgeFinding(days).due !== undefined)).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});

test("a certificate that wasn't renewed in time is told", () => {
  expect([90, 14, 13, -1].map((days) => certificateFinding(days).state)).toEqual(["ok", "ok", "bad", "bad"]);
});

test("the week's list has each thing that is due, once, and nothing else", () => {
  expect(
    weekOf([
      certificateFinding(60),
      credentialAgeFinding(72),
      credentialAgeFinding(75),
      waitingFinding({ "to verify": 0, "cases and appeals": 2, "acts for a second admin": 1 }),
      waitingFinding({ "cases and appeals": 0 }),
    ]),
  ).toEqual([
    expect.stringMatching(/ 15 days are left\.$/),
    "Look at what waits at /admin: cases and appeals: 2, acts for a second admin: 1.",
  ]);
});

test("a secret of a year is due where a new one takes nothing from people, and none is wrong by its age", () => {
  const days = { SESSION_SECRETS: 365, PASSWORD_PEPPER: 900, OIDC_SECRET_UONBI_AC_KE: 500, RESEND_API_KEY: 364 };
  const finding = secretAgesFinding(Object.entries(days).map(([name, age]) => ({ name, days: age })));
  expect(finding.state).toBe("ok");
  expect(finding.fact).toMatch(
    /PASSWORD_PEPPER 900, OIDC_SECRET_UONBI_AC_KE 500, SESSION_SECRETS 365, RESEND_API_KEY 364$/,
  );
  expect(finding.due).toMatch(/^OIDC_SECRET_UONBI_AC_KE, SESSION_SECRETS: a year old/);
  expect(secretAgesFinding([{ name: "RESEND_API_KEY", days: 0 }]).due).toBeUndefined();
});

test("the credential's age is told ten days before its password ends", () => {
  expect([null, 0, 79, 80, 200].map((days) => credentialAgeFinding(days).state)).toEqual([
    "unknown",
    "ok",
    "ok",
    "bad",
    "bad",
  ]);
  expect(credentialAgeFinding(80).fact).toBe("first seen 80 days ago");
});
