import { Hono } from "hono";
import { z } from "zod";
import { universityIssuers } from "#app/accounts/login/find-issuers.server.ts";
import { secretName } from "#app/accounts/login/issuer-rules.ts";
import { openAlarmTitles, readLastRun } from "#app/admin/operations/alarms.server.ts";
import { noteSecrets, readCopyDays, readCredentialDays } from "#app/admin/operations/operator-dates.server.ts";
import { isVisit, readProbe, startProbe } from "#app/payments/answers/probes.server.ts";
import { minutesBetween, SILENT_MS } from "#app/admin/operations/alarm-rules.ts";
import {
  copyAgeFinding,
  credentialAgeFinding,
  DOCTOR_AMOUNT,
  type DoctorCheck,
  type Finding,
  findWeakSecrets,
  initiatorFinding,
  isEncryptedCredential,
  secretAgesFinding,
  twoStepsFinding,
  waitingFinding,
} from "#app/admin/operations/doctor-rules.ts";
import { read } from "#app/db/batch.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { sendTestEmails } from "#app/admin/operations/test-emails.server.ts";
import type { Services } from "#app/request/services.ts";
import type { Env } from "#workers/env.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { endpoint } from "./endpoint.ts";
import { checkParts } from "./health.ts";
import { refuse, UNREADABLE } from "./refuse.ts";

/** What `npm run doctor` asks the deployed worker, because only the worker has the secrets and gets the callbacks. */
export const doctor = new Hono<HttpEnv>();

const token = z.string().regex(/^[0-9a-f]{32,64}$/);
const phone = z.string().regex(/^254[17]\d{8}$/);

const body = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("settings") }),
  z.object({ ask: z.literal("email") }),
  /** A callback that the doctor itself sends, from outside. */
  z.object({ ask: z.literal("callback") }),
  z.object({ ask: z.literal("initiator") }),
  z.object({ ask: z.literal("pay_in"), phone }),
  /** `token`: of the payment that came in. */
  z.object({ ask: z.literal("pay_out"), phone, token }),
  z.object({ ask: z.literal("pay_back"), token }),
  /** Whether the answer to an earlier question has come. */
  z.object({ ask: z.literal("answer"), token }),
]);
type Question = z.infer<typeof body>;

const finding = z.object({
  check: z.string(),
  state: z.enum(["ok", "bad", "unknown"]),
  fact: z.string(),
  due: z.string().optional(),
});
const answer = z.object({
  findings: z.array(finding),
  token: z.string().nullable().meta({ description: "Names a callback that is awaited: ask for its answer with it." }),
  prints: z.record(z.string(), z.string()).meta({
    description: "Of each variable and key: SHA-256 of the Authorization header, a line's end and the value.",
  }),
  now: z.number().meta({ description: "The worker's clock, in ms since 1970." }),
});
type Answer = { findings: Finding[]; token: string | null };

doctor.post(
  "/",
  endpoint({
    id: "examine",
    tag: "Operation",
    summary: "One question of the operator's check",
    input: { from: "json", schema: body, unreadable: UNREADABLE },
    answers: { 200: answer },
    refusals: { 400: UNREADABLE, 404: "Not a check that may ask." },
  }),
  async (c) => {
    const services = c.get("services");
    if (!(await mayAsk(services, c.env, c.req.header("Authorization")))) return refuse(c, 404, "No such endpoint");
    const question = c.get("input");
    const answered = await answerTo(services, c.env, question);
    const prints = question.ask === "settings" ? await printsOf(c.env, c.req.header("Authorization") ?? "") : {};
    return c.json({ ...answered, prints, now: Date.now() });
  },
);

/** Whoever may write to the database. On your own machine, where a running server holds the database, everybody. */
async function mayAsk(services: Services, env: Env, authorization: string | undefined): Promise<boolean> {
  const secret = /^Bearer (\S{16,100})$/.exec(authorization ?? "")?.[1];
  if (secret === undefined) return false;
  if (__SANDBOX__ && env.SANDBOX && secret === "on-my-own-machine") return true;
  return isVisit(services, secret);
}

async function answerTo(services: Services, env: Env, question: Question): Promise<Answer> {
  switch (question.ask) {
    case "settings":
      return { findings: await examineSettings(services, env), token: null };
    case "email":
      return { findings: [await examineEmail(services)], token: null };
    case "callback":
      return { findings: [], token: await startProbe(services, "callback") };
    case "initiator":
      return askInitiator(services);
    case "pay_in":
      return payIn(services, question.phone);
    case "pay_out":
      return payOut(services, question);
    case "pay_back":
      return payBack(services, question.token);
    case "answer":
      return { findings: await readAnswer(services, question.token), token: question.token };
  }
}

/** So that the doctor can compare what it knows, and nobody can read a value from it. */
async function printsOf(env: Env, authorization: string): Promise<Record<string, string>> {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const prints = texts.map(async ([name, value]) => [name, await sha256Hex(`${authorization}\n${value}`)] as const);
  return Object.fromEntries(await Promise.all(prints));
}

/** The secrets of which nothing else tells the age. */
const SECRETS =
  /^(?:SESSION_SECRETS|PASSWORD_PEPPER|HANDOVER_CODE_KEY|DARAJA_(?:CONSUMER_KEY|CONSUMER_SECRET|PASSKEY)|RESEND_API_KEY|VAPID_PRIVATE_KEY|GOOGLE_CLIENT_SECRET|OIDC_SECRET_\w+)$/;

/** By which a change is seen. So short that many texts have it, so that nobody can try out which secret it was. */
const PRINT_LENGTH = 4;

async function printsOfSecrets(env: Env): Promise<Map<string, string>> {
  const set = Object.entries(env).filter(
    (entry): entry is [string, string] => SECRETS.test(entry[0]) && typeof entry[1] === "string" && entry[1] !== "",
  );
  const prints = set.map(async ([name, value]) => [name, await sha256Hex(`${name}\n${value}`)] as const);
  return new Map((await Promise.all(prints)).map(([name, print]) => [name, print.slice(0, PRINT_LENGTH)]));
}

async function examineSettings(services: Services, env: Env): Promise<Finding[]> {
  const { parts } = await checkParts(env, services);
  const down = Object.entries(parts).flatMap(([part, works]) => (works ? [] : [part]));
  const weak = findWeakSecrets({
    SESSION_SECRETS: env.SESSION_SECRETS,
    PASSWORD_PEPPER: env.PASSWORD_PEPPER,
    HANDOVER_CODE_KEY: env.HANDOVER_CODE_KEY,
  });
  const isSandbox = services.payments.mode === "sandbox";
  const encrypted = isEncryptedCredential(env.DARAJA_SECURITY_CREDENTIAL);
  const alarms = await openAlarmTitles(services);
  const waiting = readAdminCounts(await read(services.db, adminCounts()));
  return [
    found("parts", down.length === 0, down.length === 0 ? "all answer" : `no answer: ${down.join(", ")}`),
    found("secret_strength", weak.length === 0, weak.length === 0 ? "long, and each its own" : weak.join("; ")),
    isSandbox
      ? { check: "credential", state: "unknown", fact: "the sandbox needs none" }
      : found("credential", encrypted, encrypted ? "encrypted" : "not 344 characters of base64, so it isn't encrypted"),
    isSandbox
      ? { check: "credential_age", state: "unknown", fact: "the sandbox needs none" }
      : credentialAgeFinding(await readCredentialDays(services)),
    isSandbox
      ? { check: "secret_ages", state: "unknown", fact: "the demo needs none" }
      : secretAgesFinding(await noteSecrets(services, await printsOfSecrets(env))),
    isSandbox && !services.adminsNeedTwoSteps
      ? { check: "two_steps", state: "unknown", fact: "optional, as in the demo" }
      : twoStepsFinding(services.adminsNeedTwoSteps),
    isSandbox
      ? { check: "copy_age", state: "unknown", fact: "the demo needs none" }
      : copyAgeFinding(await readCopyDays(services)),
    waitingFinding({
      "to verify": waiting.verifications,
      "cases and appeals": waiting.moderation,
      "problems with orders": waiting.problems,
      "things about money": waiting.money,
      "acts for a second admin": waiting.proposals,
    }),
    darajaFinding(services),
    await examineLogins(services),
    await examineJob(services),
    found("alarms", alarms.length === 0, alarms.length === 0 ? "none is on" : alarms.join("; ")),
  ];
}

function darajaFinding(services: Services): Finding {
  try {
    return found("daraja_settings", services.gateway !== undefined, `complete, for M-Pesa's ${services.payments.mode}`);
  } catch (error) {
    // It names settings, and none of their values.
    return found("daraja_settings", false, error instanceof Error ? error.message : "unreadable");
  }
}

/** Whether each university's login answers. A client secret is missing only where the client isn't public. */
async function examineLogins(services: Services): Promise<Finding> {
  const { issuers } = services;
  const all = await universityIssuers(services.db);
  const answers = await Promise.allSettled(all.map((issuer) => issuers.open(issuer).start()));
  const silent = all.filter((_, at) => answers[at]?.status === "rejected").map(({ key }) => `${key} doesn't answer`);
  if (silent.length > 0) return found("university_logins", false, silent.join("; "));
  const bare = all.filter(({ key }) => !issuers.hasSecret(key)).map(({ key }) => secretName(key));
  if (bare.length > 0)
    return {
      check: "university_logins",
      state: "unknown",
      fact: `right if their clients are public: no ${bare.join(", ")}`,
    };
  return found("university_logins", true, all.length === 0 ? "none" : "each answers");
}

async function examineJob(services: Services): Promise<Finding> {
  const ran = await readLastRun(services);
  if (ran === null) return found("job", false, "it has never run");
  const minutes = minutesBetween(ran, services.now());
  return found(
    "job",
    minutes < SILENT_MS / 60_000,
    `it last ran ${minutes === 1 ? "1 minute" : `${minutes} minutes`} ago`,
  );
}

async function examineEmail(services: Services): Promise<Finding> {
  const { sent, to } = await sendTestEmails(services);
  const names = to.join(", ");
  return found("email", sent, sent ? `sent to ${names}: look whether it came` : `not sent to ${names} yet`);
}

/** Asks about a receipt that can't exist. Its answer says whether M-Pesa takes the initiator for who it is. */
async function askInitiator(services: Services): Promise<Answer> {
  return ask(services, "initiator", async (probe) => {
    const asked = await services.gateway.lookUpReceipt({
      receipt: "AAA0000000",
      callbackToken: probe,
      account: "collection",
    });
    return asked.kind === "refused" ? asked : null;
  });
}

async function payIn(services: Services, payer: string): Promise<Answer> {
  return ask(services, "pay_in", async (probe) => {
    const asked = await services.gateway.push({
      callbackToken: probe,
      phone: payer,
      amount: DOCTOR_AMOUNT,
      accountReference: "CHECK",
      description: "Check",
    });
    return asked.kind === "refused" ? asked : null;
  });
}

/** Pays out what came in, once: M-Pesa takes one conversation id once. */
async function payOut(services: Services, paid: { phone: string; token: string }): Promise<Answer> {
  if ((await receiptOf(services, paid.token)) === null) return notPaid("pay_out");
  return ask(services, "pay_out", async (probe) => {
    const asked = await services.gateway.payOut({
      conversationId: `check-${paid.token.slice(0, 32)}`,
      callbackToken: probe,
      phone: paid.phone,
      amount: DOCTOR_AMOUNT,
      remarks: "Check",
    });
    if (asked.kind === "duplicate") return { code: "duplicate", message: "it was paid out before" };
    return asked.kind === "refused" ? asked : null;
  });
}

async function payBack(services: Services, paid: string): Promise<Answer> {
  const receipt = await receiptOf(services, paid);
  if (receipt === null) return notPaid("pay_back");
  return ask(services, "pay_back", async (probe) => {
    const asked = await services.gateway.reverse({
      receipt,
      callbackToken: probe,
      amount: DOCTOR_AMOUNT,
      remarks: "Check",
    });
    return asked.kind === "refused" ? asked : null;
  });
}

function notPaid(check: DoctorCheck): Answer {
  return { findings: [found(check, false, "no payment came in")], token: null };
}

/** Asks M-Pesa for something whose answer comes later. A request whose own answer is lost may have arrived, too. */
async function ask(
  services: Services,
  check: "initiator" | "pay_in" | "pay_out" | "pay_back",
  send: (probe: string) => Promise<{ code: string; message: string } | null>,
): Promise<Answer> {
  const faulty = darajaFinding(services);
  if (faulty.state === "bad") return { findings: [{ ...faulty, check }], token: null };
  const probe = await startProbe(services, check);
  const refused = await send(probe);
  if (refused === null) return { findings: [], token: probe };
  return { findings: [found(check, false, `refused: ${refused.message} (${refused.code})`)], token: null };
}

/** What the callback says; nothing while it hasn't come. */
async function readAnswer(services: Services, probeToken: string): Promise<Finding[]> {
  const probe = await readProbe(services, probeToken);
  if (probe === null || probe.answer === null) return [];
  const { answer: text } = probe;
  const { gateway } = services;
  switch (probe.kind) {
    case "initiator": {
      const code = gateway.readReceiptLookup(text)?.code;
      return [code === undefined ? unreadable("initiator") : initiatorFinding(code)];
    }
    case "pay_in": {
      const report = gateway.readPushCallback(text);
      if (report === null) return [unreadable("pay_in")];
      return [moved("pay_in", report.outcome.kind === "done" ? report.receipt : null, report)];
    }
    case "pay_out": {
      const report = gateway.readPayoutResult(text);
      if (report === null) return [unreadable("pay_out")];
      return [moved("pay_out", report.outcome.kind === "done" ? report.outcome.receipt : null, report)];
    }
    case "pay_back": {
      const report = gateway.readReversalResult(text);
      if (report === null) return [unreadable("pay_back")];
      return [moved("pay_back", report.outcome.kind === "done" ? report.outcome.receipt : null, report)];
    }
    case "callback":
      return [found("callbacks", true, "a callback from outside arrived")];
    case "visit":
      return [];
  }
}

function moved(check: DoctorCheck, receipt: string | null, report: { code: string; message: string }): Finding {
  return found(check, receipt !== null, receipt === null ? `${report.message} (${report.code})` : `receipt ${receipt}`);
}

async function receiptOf(services: Services, paid: string): Promise<string | null> {
  const probe = await readProbe(services, paid);
  if (probe?.kind !== "pay_in" || probe.answer === null) return null;
  const report = services.gateway.readPushCallback(probe.answer);
  return report?.outcome.kind === "done" ? report.receipt : null;
}

function found(check: DoctorCheck, works: boolean, fact: string): Finding {
  return { check, state: works ? "ok" : "bad", fact };
}

function unreadable(check: DoctorCheck): Finding {
  return { check, state: "unknown", fact: "M-Pesa's answer can't be read" };
}
