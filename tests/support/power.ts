/** What the forms of our team bring about that nobody else may: money that moves, and power over accounts. */
import { env } from "cloudflare:workers";
import { ASKING_FORMS, asksAgain } from "#app/team/asking-form-rules.ts";

/** Each as a query for what has come about. It is read from the tables, so that no list of forms has a say. */
const POWERS = [
  "SELECT 'booked ' || id FROM ledger_entries",
  "SELECT 'a payout leaves ' || id FROM payouts WHERE state IN ('due', 'sending', 'sent', 'unknown', 'done')",
  "SELECT 'a refund leaves ' || id FROM refunds WHERE state IN ('due', 'sending', 'sent', 'unknown', 'done')",
  "SELECT 'a receipt is to count ' || id FROM receipt_checks",
  "SELECT 'a payment is decided ' || id || state FROM payment_attempts WHERE state IN ('succeeded', 'failed')",
  "SELECT 'a report stops no money ' || id FROM issue_reports WHERE status = 'closed'",
  "SELECT 'a case is decided ' || id FROM moderation_cases WHERE state = 'decided'",
  "SELECT 'another admin agrees ' || id FROM admin_proposals WHERE state = 'confirmed'",
  "SELECT 'a listing is taken down ' || id FROM products WHERE suspended_at IS NOT NULL AND held_for IS NULL",
  "SELECT 'somebody is suspended ' || id FROM credentials WHERE suspended_at IS NOT NULL",
  "SELECT 'a fee is taken ' || id FROM service_fees WHERE confirmed_at IS NOT NULL",
  "SELECT 'no fee is taken any more ' || COUNT(*) FROM service_fees WHERE confirmed_at IS NOT NULL",
  "SELECT 'an issuer opens accounts ' || domain FROM login_issuers WHERE is_on = 1",
  "SELECT 'a role ' || id || coalesce(admin_role, 'none') FROM profiles",
  `SELECT 'no second step ' || id FROM credentials WHERE id NOT IN
    (SELECT user_id FROM authenticators WHERE confirmed_at IS NOT NULL UNION SELECT user_id FROM passkeys)`,
];

async function powers(): Promise<Set<unknown>> {
  const read = await env.DB.batch<Record<string, unknown>>(POWERS.map((query) => env.DB.prepare(query)));
  return new Set(read.flatMap(({ results }) => results.flatMap((row) => Object.values(row))));
}

/** What `act` brings about. */
export async function broughtAbout(act: () => Promise<unknown>): Promise<unknown[]> {
  const before = await powers();
  await act();
  return [...(await powers())].filter((power) => !before.has(power));
}

/** Does what a form of our team asks for. Whatever moves money or gives power must ask who it is. */
export async function askedWho<Answer>(
  path: string,
  form: FormData | URLSearchParams,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const page = Object.keys(ASKING_FORMS).find((pattern) =>
    new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}(\\.data)?$`).test(path.split("?")[0] ?? ""),
  );
  const sent = new FormData();
  for (const intent of form.getAll("intent")) sent.append("intent", intent);
  if (page !== undefined && (await asksAgain(page, async () => sent))) return act();
  let answer: Answer | undefined;
  const brought = await broughtAbout(async () => {
    answer = await act();
  });
  if (brought.length > 0)
    throw new Error(`${path} (${String(form.get("intent"))}) asks nobody who they are: ${brought.join(", ")}`);
  return answer as Answer;
}
