import { sql } from "drizzle-orm";
import { firstShopName } from "#app/catalogue/listing-rules.ts";
import { FOR_SALE } from "#app/catalogue/products.server.ts";
import {
  commitBatch,
  expectOneChange,
  expectThat,
  PreconditionFailed,
  rowOf,
  rowsOf,
  runBatch,
  type Statement,
} from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PLAN, type PlanStatus } from "#app/db/states/plan.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { PLAN_REMINDER_MS, type PlanId, planPeriod, PLANS } from "./plan-rules.ts";

/** A user's running plans. Times in ms; null when none is running. */
export interface OwnPlans {
  /** They have something for sale, which a plan can promote. */
  hasListing: boolean;
  proUntil: number | null;
  featuredUntil: number | null;
}

/** The query for a user's plans. Send it in a batch and read the result with `readOwnPlans`. */
export function ownPlans(userId: string, now: number): Statement {
  return sql`SELECT EXISTS (SELECT 1 FROM products p WHERE p.seller_id = profiles.id AND ${FOR_SALE}) AS hasListing, CASE WHEN is_pro AND pro_until > ${now} THEN pro_until END AS proUntil,
      (SELECT featured_until FROM shops WHERE shops.id = profiles.id AND featured_until > ${now}) AS featuredUntil
    FROM profiles WHERE id = ${userId}`;
}

export function readOwnPlans(answer: unknown): OwnPlans {
  const row = rowOf<{ hasListing: number; proUntil: number | null; featuredUntil: number | null }>(answer);
  return {
    hasListing: row?.hasListing === 1,
    proUntil: row?.proUntil ?? null,
    featuredUntil: row?.featuredUntil ?? null,
  };
}

/**
 * The subscription that a payment for `plan` belongs to: the one that waits for its payment, or a new one. There is
 * never more than one waiting.
 */
export async function openSubscription(store: Store, userId: string, plan: PlanId): Promise<string> {
  const now = store.now();
  const [, found] = await runBatch(store.db, [
    sql`INSERT INTO subscriptions (id, user_id, plan, amount, status, created_at, updated_at)
      VALUES (${crypto.randomUUID()}, ${userId}, ${plan}, ${PLANS[plan].price}, ${"pending_payment" satisfies PlanStatus}, ${now}, ${now})
      ON CONFLICT (user_id, plan) WHERE ${stateIs("status", PLAN.awaitsPayment)} DO UPDATE SET amount = excluded.amount, updated_at = excluded.updated_at`,
    sql`SELECT id FROM subscriptions WHERE user_id = ${userId} AND plan = ${plan} AND ${stateIs("status", PLAN.awaitsPayment)}`,
  ]);
  const row = rowOf<{ id: string }>(found);
  if (!row) throw new Error("a subscription was opened and is not there");
  return row.id;
}

export interface PaidSubscription {
  id: string;
  userId: string;
  ownerName: string;
  plan: PlanId;
  /** Until when its owner was Pro, and their shop featured, before this payment. */
  proUntil: number | null;
  featuredUntil: number | null;
}

/**
 * Starts a paid subscription, in the batch of its payment: its period begins when the one before it ends, the owner
 * becomes Pro, and their shop is featured. Aborts the batch if it was paid before, or if the end of the earlier period
 * has changed.
 */
export function activateSubscription(paid: PaidSubscription, now: number): { endsAt: number; statements: Statement[] } {
  const plan = PLANS[paid.plan];
  const { startsAt, endsAt } = planPeriod(paid.plan, plan.pro ? paid.proUntil : paid.featuredUntil, now);
  const featuredUntil = planPeriod(paid.plan, paid.featuredUntil, now).endsAt;
  const { userId } = paid;
  return {
    endsAt,
    statements: [
      sql`UPDATE subscriptions SET status = ${"active" satisfies PlanStatus}, starts_at = ${startsAt}, ends_at = ${endsAt}, updated_at = ${now}
        WHERE id = ${paid.id} AND ${stateIs("status", PLAN.awaitsPayment)}`,
      expectOneChange(),
      expectThat(sql`(SELECT featured_until FROM shops WHERE id = ${userId}) IS ${paid.featuredUntil}`),
      // An owner without a shop gets one to be featured. They can change its name.
      sql`INSERT INTO shops (id, shop_name, featured_until, created_at, updated_at)
        VALUES (${userId}, ${firstShopName(paid.ownerName)}, ${featuredUntil}, ${now}, ${now})
        ON CONFLICT (id) DO UPDATE SET featured_until = excluded.featured_until`,
      ...(plan.pro
        ? [
            expectThat(sql`(SELECT pro_until FROM profiles WHERE id = ${userId}) IS ${paid.proUntil}`),
            sql`UPDATE profiles SET is_pro = 1, pro_until = ${endsAt}, updated_at = ${now} WHERE id = ${userId}`,
          ]
        : []),
    ],
  };
}

/** How many plans one run ends, and how many owners it reminds. */
const AT_ONCE = 50;

interface Ending {
  id: string;
  userId: string;
  plan: PlanId;
  endsAt: number;
  email: string;
  name: string;
}

/**
 * Ends the plans whose time is over, and reminds owners of plans that end soon. Returns both numbers. Bounded; safe to
 * run twice at once and to stop at any point.
 */
export async function advancePlans(store: Store): Promise<{ ended: number; reminded: number }> {
  const now = store.now();
  const [over, soon] = await runBatch(store.db, [
    endingPlans(sql`s.ends_at <= ${now}`),
    endingPlans(sql`s.ends_at > ${now} AND s.ends_at <= ${now + PLAN_REMINDER_MS} AND ${NEEDS_REMINDER}`),
  ]);
  const ended = rowsOf<Ending>(over);
  const ending = rowsOf<Ending>(soon);
  for (const plan of ended) await endPlan(store.db, plan, now);
  if (ending.length > 0)
    await commitBatch(
      store.db,
      ending.map((plan) => queueMail("plan_ending", plan, now)),
    );
  return { ended: ended.length, reminded: ending.length };
}

/** Nobody is reminded twice, or of a plan that continues in another one. */
const NEEDS_REMINDER = sql`NOT EXISTS (SELECT 1 FROM outbox o WHERE o.dedupe_key = 'plan_ending:' || s.id)
  AND NOT EXISTS (SELECT 1 FROM subscriptions n WHERE n.user_id = s.user_id AND ${stateIs("n.status", PLAN.isActive)} AND n.starts_at >= s.ends_at)`;

function endingPlans(when: ReturnType<typeof sql>): Statement {
  return sql`SELECT s.id, s.user_id AS userId, s.plan, s.ends_at AS endsAt, c.email, COALESCE(p.full_name, '') AS name
    FROM subscriptions s JOIN credentials c ON c.id = s.user_id LEFT JOIN profiles p ON p.id = s.user_id
    WHERE ${stateIs("s.status", PLAN.isActive)} AND ${when} ORDER BY s.ends_at LIMIT ${AT_ONCE}`;
}

async function endPlan(db: Database, plan: Ending, now: number): Promise<void> {
  try {
    await commitBatch(db, [
      sql`UPDATE subscriptions SET status = ${"ended" satisfies PlanStatus}, updated_at = ${now} WHERE id = ${plan.id} AND ${stateIs("status", PLAN.isActive)}`,
      expectOneChange(),
      // A plan that was extended in the meantime continues. Being featured ends by its time alone.
      sql`UPDATE profiles SET is_pro = 0, updated_at = ${now} WHERE id = ${plan.userId} AND is_pro = 1 AND pro_until <= ${now}`,
      sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
        SELECT ${crypto.randomUUID()}, 'mail', ${`plan_ended:${plan.id}`}, ${JSON.stringify(mailOf("plan_ended", plan))}, 0, ${now}, ${now}
        WHERE NOT EXISTS (SELECT 1 FROM subscriptions n WHERE n.user_id = ${plan.userId} AND ${stateIs("n.status", PLAN.isActive)} AND n.ends_at > ${now})
        ON CONFLICT (dedupe_key) DO NOTHING`,
    ]);
  } catch (error) {
    // Another run was faster.
    if (!(error instanceof PreconditionFailed)) throw error;
  }
}

function queueMail(template: "plan_ending" | "plan_ended", plan: Ending, now: number): Statement {
  return queueEffect("mail", `${template}:${plan.id}`, mailOf(template, plan), now);
}

function mailOf(template: "plan_ending" | "plan_ended", { email, name, plan, endsAt }: Ending): Mail {
  const facts = { name: name || "there", plan: PLANS[plan].name, planId: plan };
  return template === "plan_ended"
    ? { to: email, template, data: facts }
    : { to: email, template, data: { ...facts, endsAt } };
}
