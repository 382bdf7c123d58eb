import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type DoctorCheck, type Finding, findOthers, OWN_KEYS } from "#app/admin/operations/doctor-rules.ts";

/** The deployed worker, as the doctor asks it. */
export interface Visit {
  origin: string;
  /** What lets the doctor ask. */
  secret: string;
  fetch: typeof fetch;
  /** How long to wait for a callback, ms. */
  patienceMs: number;
  /** What should be deployed, by name: the variables of wrangler.toml; the keys that the operator keeps, if given. */
  expected?: { variables: Record<string, string>; keys: Record<string, string> | null };
}

const Answer = z.object({
  findings: z.array(z.custom<Finding>()),
  token: z.string().nullable(),
  prints: z.record(z.string(), z.string()),
  now: z.number(),
});

/** How often to look whether a callback has come, ms. */
const LOOK_MS = 1_000;
/** How far our clock may be from the worker's, ms. */
const CLOCK_MS = 60_000;

/**
 * Examines the worker in the order in which its parts need each other. `report` is called with each finding as it
 * comes.
 */
export async function examineWorker(visit: Visit, report: (finding: Finding) => void): Promise<void> {
  const health = await visit.fetch(`${visit.origin}/api/health`).catch((error: unknown) => String(error));
  if (typeof health === "string")
    return report({ check: "deployed", state: "bad", fact: `${visit.origin} doesn't answer` });
  const settings = await ask(visit, { ask: "settings" });
  if (!settings.ok) return report({ check: "deployed", state: "bad", fact: settings.says });
  report({ check: "deployed", state: "ok", fact: `${visit.origin} answers` });
  for (const finding of settings.answer.findings) report(finding);
  for (const finding of compareDeployed(visit, settings.answer.prints)) report(finding);
  report(clockFinding(settings.answer.now));
  report(await examineCallbacks(visit));
  for (const finding of await askAndWait(visit, { ask: "initiator" }, "initiator")) report(finding);
  for (const finding of await askAndWait(visit, { ask: "email" }, "email")) report(finding);
}

/** Whether what is deployed is what this checkout and the operator's copies say. */
function compareDeployed({ expected, secret }: Visit, prints: Record<string, string>): Finding[] {
  if (!expected) return [];
  const print = (value: string) => createHash("sha256").update(`Bearer ${secret}\n${value}`).digest("hex");
  const othersOf = (values: Record<string, string>) =>
    findOthers(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, print(value)])), prints);
  const variables = othersOf(expected.variables);
  const { keys } = expected;
  return [
    variables.length === 0
      ? { check: "deployed_settings", state: "ok", fact: "those of wrangler.toml" }
      : { check: "deployed_settings", state: "bad", fact: `other than in wrangler.toml: ${variables.join(", ")}` },
    keys === null
      ? { check: "keys", state: "unknown", fact: "not compared: give them by --keys FILE, in lines NAME=VALUE" }
      : keysFinding(othersOf(Object.fromEntries(OWN_KEYS.map((name) => [name, keys[name] ?? ""])))),
  ];
}

function keysFinding(others: string[]): Finding {
  return others.length === 0
    ? { check: "keys", state: "ok", fact: "the deployed ones" }
    : { check: "keys", state: "bad", fact: `missing, or other than the deployed: ${others.join(", ")}` };
}

function clockFinding(theirs: number): Finding {
  const seconds = Math.round(Math.abs(Date.now() - theirs) / 1_000);
  return {
    check: "clock",
    state: seconds * 1_000 <= CLOCK_MS ? "ok" : "bad",
    fact: `${seconds} s from Cloudflare's`,
  };
}

/**
 * Sends a callback to the public address, as Safaricom would: from outside, without a cookie, an origin or a browser. A
 * bot rule of the zone answers it in the worker's place.
 */
async function examineCallbacks(visit: Visit): Promise<Finding> {
  const started = await ask(visit, { ask: "callback" });
  if (!started.ok || started.answer.token === null)
    return { check: "callbacks", state: "bad", fact: "no probe could be started" };
  const { token } = started.answer;
  const response = await visit
    .fetch(`${visit.origin}/hooks/pay/r/${token}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "Apache-HttpClient/4.5.13 (Java/11)" },
      body: JSON.stringify({ Result: { ResultCode: 0, ResultDesc: "Check" } }),
    })
    .catch((error: unknown) => String(error));
  if (typeof response === "string") return { check: "callbacks", state: "bad", fact: response };
  if (response.status !== 200) {
    const challenge = response.headers.get("cf-mitigated");
    const by = challenge ? `, from a Cloudflare ${challenge}` : "";
    return { check: "callbacks", state: "bad", fact: `answered with status ${response.status}${by}` };
  }
  const [arrived] = await waitForAnswer(visit, token);
  return arrived ?? { check: "callbacks", state: "bad", fact: "something else than the worker answered" };
}

/**
 * A first payment: KES 10 from the phone to us, from us to the phone, and the payment reversed. Each step needs the one
 * before. The phone then has KES 10 more than before: our cost, with M-Pesa's fees.
 */
export async function pay(visit: Visit, phone: string, report: (finding: Finding) => void): Promise<void> {
  const asked = await ask(visit, { ask: "pay_in", phone });
  if (!asked.ok) return report({ check: "pay_in", state: "bad", fact: asked.says });
  const { token } = asked.answer;
  if (token === null) return asked.answer.findings.forEach(report);
  const [paid] = await waitForAnswer(visit, token);
  report(paid ?? noCallback("pay_in"));
  if (paid?.state !== "ok") return;
  for (const [check, question] of [
    ["pay_out", { ask: "pay_out", phone, token }],
    ["pay_back", { ask: "pay_back", token }],
  ] as const)
    for (const finding of await askAndWait(visit, question, check)) report(finding);
}

/** The findings of a question, whose answer may come with a callback. */
async function askAndWait(visit: Visit, question: object, check: DoctorCheck): Promise<Finding[]> {
  const asked = await ask(visit, question);
  if (!asked.ok) return [{ check, state: "bad", fact: asked.says }];
  const { findings, token } = asked.answer;
  if (token === null) return findings;
  const answers = await waitForAnswer(visit, token);
  return answers.length > 0 ? answers : [noCallback(check)];
}

function noCallback(check: DoctorCheck): Finding {
  return { check, state: "bad", fact: "M-Pesa accepted it, and its callback didn't come" };
}

async function waitForAnswer(visit: Visit, token: string): Promise<Finding[]> {
  const until = Date.now() + visit.patienceMs;
  do {
    const asked = await ask(visit, { ask: "answer", token });
    if (asked.ok && asked.answer.findings.length > 0) return asked.answer.findings;
    await sleep(LOOK_MS);
  } while (Date.now() < until);
  return [];
}

type Asked = { ok: true; answer: z.infer<typeof Answer> } | { ok: false; says: string };

async function ask(visit: Visit, question: object): Promise<Asked> {
  const response = await visit
    .fetch(`${visit.origin}/api/doctor`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: visit.origin,
        Authorization: `Bearer ${visit.secret}`,
      },
      body: JSON.stringify(question),
    })
    .catch((error: unknown) => String(error));
  if (typeof response === "string") return { ok: false, says: response };
  const answer = Answer.safeParse(await response.json().catch(() => null));
  if (response.status === 200 && answer.success) return { ok: true, answer: answer.data };
  return { ok: false, says: `POST /api/doctor was answered with status ${response.status}` };
}
