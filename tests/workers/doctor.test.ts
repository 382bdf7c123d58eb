/** `npm run doctor` against the app and the sandbox: what works, and each outage with its line. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { noteRun, watchFigures } from "#app/admin/operations/alarms.server.ts";
import { noteCopy, readCopyDays } from "#app/admin/operations/operator-dates.server.ts";
import { write } from "#app/db/batch.ts";
import { newMeter } from "#app/db/meter.ts";
import { operatorDates } from "#app/admin/tables.server.ts";
import { leases } from "#app/db/tables.server.ts";
import { ledgerEntries, paymentCallbacks, probes } from "#app/payments/tables.server.ts";
import { deleteOldProbes, keepProbeAnswer, startProbe } from "#app/payments/answers/probes.server.ts";
import type { Finding } from "#app/admin/operations/doctor-rules.ts";
import { examineWorker, pay, type Visit } from "#scripts/doctor/worker.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { db, runSandbox, servicesAt, settleDeferred } from "#tests/support/fixtures.ts";
import { mailTo } from "#tests/support/sign-up.ts";
import { visit as visitWith } from "#tests/support/visit.ts";
import type { Env } from "#workers/env.ts";
import { createServices } from "#workers/services.ts";

const SECRET = "a".repeat(64);
const { SESSION_SECRETS, PASSWORD_PEPPER, HANDOVER_CODE_KEY } = env;
const OWN = { SESSION_SECRETS, PASSWORD_PEPPER, HANDOVER_CODE_KEY };
const DAY = 24 * 60 * 60_000;

async function letIn(startedAt = Date.now()): Promise<void> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(SECRET)));
  const token = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  await db.insert(probes).values({ token, kind: "visit", startedAt });
}

/** A doctor that visits a worker with these bindings. The sandbox takes its steps after each question. */
function doctorOf(bindings: Partial<Env> = {}, answer?: (path: string) => Response | undefined): Visit {
  return {
    origin: ORIGIN,
    secret: SECRET,
    // The sandbox has answered by then, so the first look finds it.
    patienceMs: 0,
    async fetch(input, init) {
      const { pathname } = new URL(String(input));
      const instead = answer?.(pathname);
      if (instead) return instead;
      const { origin: _own, ...headers } = Object.fromEntries(new Headers(init?.headers));
      const response = await visitWith(pathname, {
        method: init?.method ?? "GET",
        body: init?.body as string,
        headers,
        bindings,
      });
      await settleDeferred();
      await runSandbox();
      return response;
    },
  };
}

async function examine(doctor: Visit): Promise<Record<string, Finding>> {
  const findings: Finding[] = [];
  await examineWorker(doctor, (finding) => findings.push(finding));
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

const sandboxFault = (settings: object) => env.SANDBOX_OBJECT.getByName("sandbox").changeSettings(settings);

beforeEach(async () => {
  await db.delete(probes);
  await db.delete(leases);
  await sandboxFault({ pace: 0 });
  await letIn();
  await write(db, [noteRun(Date.now())]);
});

test("where everything works, every line is fine", async () => {
  const findings = await examine(doctorOf());
  const states = Object.fromEntries(Object.entries(findings).map(([check, { state }]) => [check, state]));
  expect(states).toMatchObject({
    deployed: "ok",
    parts: "ok",
    daraja_settings: "ok",
    job: "ok",
    alarms: "ok",
    clock: "ok",
    callbacks: "ok",
    initiator: "ok",
    email: "ok",
    // The sandbox takes a plain one.
    credential: "unknown",
    credential_age: "unknown",
    secret_ages: "unknown",
    // The demo asks for none.
    two_steps: "unknown",
  });
  expect(await db.select().from(paymentCallbacks)).toEqual([]);
});

test("it compares the variables and the keys that are deployed, without reading them", async () => {
  const same = { variables: { APP_ORIGIN: env.APP_ORIGIN }, keys: OWN };
  expect(await examine({ ...doctorOf(), expected: same })).toMatchObject({
    deployed_settings: { state: "ok" },
    keys: { state: "ok" },
  });
  const other = {
    variables: { APP_ORIGIN: env.APP_ORIGIN, DARAJA_SHORTCODE: "4100001" },
    keys: { ...OWN, PASSWORD_PEPPER: "another", HANDOVER_CODE_KEY: "" },
  };
  expect(await examine({ ...doctorOf(), expected: other })).toMatchObject({
    deployed_settings: { state: "bad", fact: "other than in wrangler.toml: DARAJA_SHORTCODE" },
    keys: { state: "bad", fact: "missing, or other than the deployed: PASSWORD_PEPPER, HANDOVER_CODE_KEY" },
  });
  expect((await examine({ ...doctorOf(), expected: { ...same, keys: null } })).keys).toMatchObject({
    state: "unknown",
  });
});

test("it knows when the last copy was made, and that nothing waits for people", async () => {
  const services = servicesAt();
  expect(await readCopyDays(services)).toBeNull();
  await noteCopy(servicesAt(-9 * DAY));
  expect(await readCopyDays(services)).toBe(9);
  await noteCopy(services);
  expect(await readCopyDays(services)).toBe(0);
  expect((await examine(doctorOf())).waiting).toMatchObject({ state: "ok", fact: "nothing" });
});

test("each outage has its line", async () => {
  await db.delete(leases);
  expect((await examine(doctorOf())).job).toMatchObject({ state: "bad", fact: "it has never run" });

  const broken = { head: () => Promise.reject(new Error("away")) } as unknown as R2Bucket;
  expect((await examine(doctorOf({ MEDIA: broken }))).parts).toMatchObject({
    state: "bad",
    fact: "no answer: pictures",
  });

  const production = await examine(doctorOf({ DARAJA_MODE: "production" }));
  expect(production.daraja_settings).toMatchObject({
    state: "bad",
    fact: expect.stringContaining("Daraja is not configured"),
  });
  expect(production.credential).toMatchObject({ state: "bad" });
  expect(production.initiator).toMatchObject({ state: "bad" });
  expect(production.credential_age).toMatchObject({ state: "unknown", fact: expect.stringContaining("next run") });
  expect(production.two_steps).toMatchObject({ state: "bad" });
  const strict = await examine(doctorOf({ DARAJA_MODE: "production", ADMIN_TWO_STEP: "required" }));
  expect(strict.two_steps).toMatchObject({ state: "ok" });

  expect((await examine(doctorOf({ SESSION_SECRETS: "short" }))).secret_strength).toMatchObject({ state: "bad" });
  expect((await examine(doctorOf({ MAIL_TRANSPORT: "resend" }))).email).toMatchObject({ state: "bad" });
  await db.delete(leases);

  const wrongKey = await examine(doctorOf({ DARAJA_SECURITY_CREDENTIAL: "another" }));
  expect(wrongKey.initiator).toMatchObject({ state: "bad" });
}, 60_000);

test("the age of the credential is that of the one in use", async () => {
  const credential = "b".repeat(342);
  const production = { DARAJA_MODE: "production" as const, DARAJA_SECURITY_CREDENTIAL: `${credential}==` };
  const services = createServices(
    { ...env, ...production },
    { waitUntil: () => {}, requestId: "test", meter: newMeter() },
  );
  const { log, adminEmails, supportEmail, credentialHash } = services;
  const now = () => Date.now() - 85 * DAY;
  await watchFigures({ db, now, log, adminEmails, supportEmail, credentialHash });
  expect((await examine(doctorOf(production))).credential_age).toMatchObject({
    state: "bad",
    fact: "first seen 85 days ago",
  });
  const renewed = { ...production, DARAJA_SECURITY_CREDENTIAL: `c${credential.slice(1)}==` };
  expect((await examine(doctorOf(renewed))).credential_age).toMatchObject({ state: "unknown" });
});

test("the age of a secret begins when the doctor first sees another one", async () => {
  const ages = async (change: object = {}) =>
    (await examine(doctorOf({ DARAJA_MODE: "production", RESEND_API_KEY: "", ...change }))).secret_ages;
  expect(await ages()).toMatchObject({ state: "ok", fact: expect.stringContaining("PASSWORD_PEPPER 0") });
  await db.update(operatorDates).set({ since: Date.now() - 400 * DAY });
  const old = await ages();
  expect(old).toMatchObject({ state: "ok", fact: expect.stringMatching(/PASSWORD_PEPPER 400.*SESSION_SECRETS 400/) });
  expect(old?.due).toContain("SESSION_SECRETS");
  expect(old?.due).not.toContain("PASSWORD_PEPPER");
  const renewed = await ages({ SESSION_SECRETS: "b".repeat(64) });
  expect(renewed?.fact).toMatch(/PASSWORD_PEPPER 400.*SESSION_SECRETS 0$/);
  expect(renewed?.due ?? "").not.toContain("SESSION_SECRETS");
  const stored = JSON.stringify(await db.select().from(operatorDates));
  expect(stored).not.toContain(env.PASSWORD_PEPPER);
});

test("an address that nothing answers is no clean bill of health", async () => {
  const away: Visit = { ...doctorOf(), fetch: () => Promise.reject(new TypeError("fetch failed")) };
  expect(await examine(away)).toEqual({
    deployed: { check: "deployed", state: "bad", fact: `${ORIGIN} doesn't answer` },
  });
});

test("a bot rule in front of the callbacks is seen, and so is something that answers in the worker's place", async () => {
  const challenged = doctorOf({}, (path) =>
    path.startsWith("/hooks/")
      ? new Response("<html>", { status: 403, headers: { "cf-mitigated": "challenge" } })
      : undefined,
  );
  expect((await examine(challenged)).callbacks).toMatchObject({
    state: "bad",
    fact: "answered with status 403, from a Cloudflare challenge",
  });
  const swallowed = doctorOf({}, (path) => (path.startsWith("/hooks/") ? new Response("{}") : undefined));
  expect((await examine(swallowed)).callbacks).toMatchObject({ state: "bad" });
});

test("a first payment goes in, out and back, and is in no book", async () => {
  const findings: Finding[] = [];
  await pay(doctorOf(), "254700000099", (finding) => findings.push(finding));
  expect(findings).toEqual([
    { check: "pay_in", state: "ok", fact: expect.stringMatching(/^receipt \w{10}$/) },
    { check: "pay_out", state: "ok", fact: expect.stringMatching(/^receipt \w{10}$/) },
    { check: "pay_back", state: "ok", fact: expect.stringMatching(/^receipt \w{10}$/) },
  ]);
  expect(await db.select().from(ledgerEntries)).toEqual([]);
});

test("a first payment stops at the step that fails, and nothing is paid out for money that didn't come", async () => {
  const cancelled: Finding[] = [];
  await pay(doctorOf(), "254700000001", (finding) => cancelled.push(finding));
  expect(cancelled).toMatchObject([{ check: "pay_in", state: "bad", fact: expect.stringContaining("1032") }]);

  await sandboxFault({ credentialLocked: true });
  const locked: Finding[] = [];
  await pay(doctorOf(), "254700000098", (finding) => locked.push(finding));
  expect(locked.map(({ check, state }) => `${check} ${state}`)).toEqual(["pay_in ok", "pay_out bad", "pay_back bad"]);
  expect(locked[1]?.fact).toContain("8006");
  await sandboxFault({ credentialLocked: false });

  const token = await startProbe(servicesAt(), "pay_in");
  const asked = await ask({ ask: "pay_out", phone: "254700000099", token });
  expect(await asked.json()).toMatchObject({
    findings: [{ check: "pay_out", state: "bad", fact: "no payment came in" }],
  });
}, 30_000);

function ask(question: object, secret = SECRET) {
  return visitWith("/api/doctor", {
    method: "POST",
    body: JSON.stringify(question),
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` },
  });
}

test("only whoever can write to the database may ask, for half an hour", async () => {
  expect((await ask({ ask: "settings" })).status).toBe(200);
  expect((await ask({ ask: "settings" }, "b".repeat(64))).status).toBe(404);
  expect((await visitWith("/api/doctor", { method: "POST", body: '{"ask":"settings"}' })).status).not.toBe(200);
  await db.delete(probes);
  await letIn(Date.now() - 31 * 60_000);
  expect((await ask({ ask: "settings" })).status).toBe(404);
});

test("a probe keeps its first answer, and is deleted after a day", async () => {
  const services = servicesAt();
  const token = await startProbe(services, "callback");
  expect(await keepProbeAnswer(services, { token, body: "first" })).toBe(true);
  expect(await keepProbeAnswer(services, { token, body: "second" })).toBe(false);
  expect(await keepProbeAnswer(services, { token: "f".repeat(64), body: "x" })).toBe(false);
  expect((await db.select().from(probes)).find((probe) => probe.token === token)?.answer).toBe("first");
  expect(await deleteOldProbes(servicesAt(DAY - 60_000))).toBe(0);
  expect(await deleteOldProbes(servicesAt(DAY + 60_000))).toBe(2);
});

test("the test email says that it is one", async () => {
  await ask({ ask: "email" });
  const subjects = (await mailTo("admin@campus.test")).map(({ subject }) => subject);
  expect(subjects.at(-1)).toBe("Test: Chuoni can send you email");
});
