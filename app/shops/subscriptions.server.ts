import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { and, asc, eq, gt, inArray, isNull, lte, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { extendFeatured } from "#app/accounts/invitations/featured-time.server.ts";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import { scoreOfShop } from "#app/accounts/trust/ratings.server.ts";
import { firstShopName } from "#app/catalogue/selling/first-shop-name.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { indexShops } from "#app/catalogue/search/search-index.server.ts";
import { type RowOf, type Statement, expectOneChange, expectThat, read, tryWrite, write } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, idList, pick } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import type { Database, Logging, Store } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { subscriptions } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PLAN } from "#app/db/states/plan.ts";
import type { Thing } from "#app/notifications/kinds.ts";
import { notify, notifyEach } from "#app/notifications/notify.server.ts";
import { PLAN_IDS, PLAN_REMINDER_MS, type PlanId, planLengthMs, planPeriod, PLANS } from "./plan-rules.ts";

/** A user's running plans. Times in ms; null when none is running. */
export interface OwnPlans {
  /** They have something for sale, which a plan can promote. */
  hasListing: boolean;
  proUntil: number | null;
  featuredUntil: number | null;
}

/** The query for a user's plans. Send it in a batch and read the result with `readOwnPlans`. */
export function ownPlans(userId: string, now: number) {
  const { isPro, proUntil } = profiles;
  const featured = build
    .select({ until: shops.featuredUntil })
    .from(shops)
    .where(and(eq(shops.id, userId), gt(shops.featuredUntil, now)));
  return build
    .select({
      hasListing: asBoolean(hasRow(productRow, and(eq(productRow.sellerId, userId), FOR_SALE))),
      proUntil: sql<number | null>`CASE WHEN ${isPro} AND ${proUntil} > ${now} THEN ${proUntil} END`,
      featuredUntil: sql<number | null>`${featured}`,
    })
    .from(profiles)
    .where(eq(profiles.id, userId));
}

export function readOwnPlans([row]: readonly OwnPlans[]): OwnPlans {
  return row ?? { hasListing: false, proUntil: null, featuredUntil: null };
}

/**
 * The subscription that a payment for `plan` belongs to: the one that waits for its payment, or a new one. There is
 * never more than one waiting.
 */
export async function openSubscription(store: Store, userId: string, plan: PlanId): Promise<string> {
  const now = store.now();
  const amount = PLANS[plan].price;
  const {
    row: [row],
  } = await write(store.db, {
    row: build
      .insert(subscriptions)
      .values({ id: crypto.randomUUID(), userId, plan, amount, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: [subscriptions.userId, subscriptions.plan],
        targetWhere: stateIs(subscriptions.status, PLAN.awaitsPayment),
        set: { amount, updatedAt: now },
      })
      .returning({ id: subscriptions.id }),
  });
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
  const { userId } = paid;
  const shopBefore = build.select({ until: shops.featuredUntil }).from(shops).where(eq(shops.id, userId));
  const ownerBefore = build.select({ until: profiles.proUntil }).from(profiles).where(eq(profiles.id, userId));
  return {
    endsAt,
    statements: [
      build
        .update(subscriptions)
        .set({ status: "active", startsAt, endsAt, updatedAt: now })
        .where(and(eq(subscriptions.id, paid.id), stateIs(subscriptions.status, PLAN.awaitsPayment))),
      expectOneChange(),
      expectThat(sql`${shopBefore} IS ${paid.featuredUntil}`),
      // An owner without a shop gets one to be featured. They can change its name.
      build
        .insert(shops)
        .values({
          id: userId,
          shopName: firstShopName(paid.ownerName),
          ratingScore: scoreOfShop(sql`${userId}`),
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing({ target: shops.id }),
      extendFeatured(idList(userId), planLengthMs(paid.plan), now),
      ...indexShops(idList(userId)),
      copyEdited(PERSON_COPY, idList(userId), now),
      ...(plan.pro
        ? [
            expectThat(sql`${ownerBefore} IS ${paid.proUntil}`),
            build
              .update(profiles)
              .set({ isPro: true, proUntil: endsAt, updatedAt: now })
              .where(eq(profiles.id, userId)),
          ]
        : []),
    ],
  };
}

/** How many plans one run ends, and how many owners it reminds. */
const AT_ONCE = 50;

type Ending = RowOf<ReturnType<typeof endingPlans>>;

/**
 * Ends the plans whose time is over, and reminds owners of plans that end soon. Returns both numbers. Bounded; safe to
 * run twice at once and to stop at any point, and one failure doesn't stop the others.
 */
export async function advancePlans(store: Store & Logging): Promise<{ ended: number; reminded: number }> {
  const now = store.now();
  const { endsAt } = subscriptions;
  const { ended, ending } = await read(store.db, {
    ended: endingPlans(lte(endsAt, now)),
    ending: endingPlans(and(gt(endsAt, now), lte(endsAt, now + PLAN_REMINDER_MS), NEEDS_REMINDER)),
  });
  const failed = ({ id: planId }: Ending, error: unknown) =>
    store.log({ event: "plan_failed", level: "error", planId, error: String(error) });
  const done = await oneByOne(ended, (plan) => endPlan(store.db, plan, now), failed);
  const reminded = await oneByOne(ending, (plan) => write(store.db, remind(plan, now)), failed);
  return { ended: done.filter(Boolean).length, reminded: reminded.length };
}

const next = alias(subscriptions, "next");
const PRO_PLANS = PLAN_IDS.filter((id) => PLANS[id].pro);

/**
 * SQL: another plan of the user gives all that this one gives, and lasts until after `time`. Being featured doesn't
 * make up for being Pro. `plan` and `time` (ms) as values or SQL.
 */
export function continuesAfter(userId: SQLWrapper, plan: SQLWrapper | PlanId, time: SQLWrapper | number): SQL {
  const givesAll = or(inArray(next.plan, PRO_PLANS), sql`${plan} NOT IN ${PRO_PLANS}`);
  return hasRow(
    next,
    and(eq(next.userId, userId), stateIs(next.status, PLAN.isActive), gt(next.endsAt, time), givesAll),
  );
}

/** Nobody is reminded twice, or of a plan that continues in another one, or while the account is closed. */
const NEEDS_REMINDER = and(
  isNull(credentials.suspendedAt),
  not(hasRow(outbox, sql`${outbox.dedupeKey} = 'plan_ending:' || ${subscriptions.id}`)),
  not(continuesAfter(subscriptions.userId, subscriptions.plan, subscriptions.endsAt)),
);

function endingPlans(when: SQL | undefined) {
  return build
    .select({
      ...pick(subscriptions, "id", "userId", "plan"),
      endsAt: sql<number>`${subscriptions.endsAt}`,
      owner: partyJson(sql`${subscriptions.userId}`).mapWith(readParty),
    })
    .from(subscriptions)
    .innerJoin(credentials, eq(credentials.id, subscriptions.userId))
    .where(and(stateIs(subscriptions.status, PLAN.isActive), when))
    .orderBy(asc(subscriptions.endsAt))
    .limit(AT_ONCE);
}

/** Whether this run ended it. Nothing changes where another one was faster. */
async function endPlan(db: Database, plan: Ending, now: number): Promise<boolean> {
  const told = JSON.stringify({ plan: PLANS[plan.plan].name, planId: plan.plan });
  const ended = sql`SELECT ${plan.userId} AS userId, ${`plan_ended:${plan.id}`} AS key, ${told} AS data,
    ${`plan:${plan.plan}` satisfies Thing} AS thing WHERE NOT ${continuesAfter(sql`${plan.userId}`, plan.plan, now)}`;
  return tryWrite(db, [
    build
      .update(subscriptions)
      .set({ status: "ended", updatedAt: now })
      .where(and(eq(subscriptions.id, plan.id), stateIs(subscriptions.status, PLAN.isActive))),
    expectOneChange(),
    // A plan that was extended in the meantime continues. Being featured ends by its time alone.
    build
      .update(profiles)
      .set({ isPro: false, updatedAt: now })
      .where(and(eq(profiles.id, plan.userId), eq(profiles.isPro, true), lte(profiles.proUntil, now))),
    ...notifyEach("plan_ended", ended, now),
  ]);
}

function remind(plan: Ending, now: number): Statement[] {
  const data = { plan: PLANS[plan.plan].name, planId: plan.plan, endsAt: plan.endsAt };
  return notify(plan.owner, { kind: "plan_ending", data }, `plan_ending:${plan.id}`, now);
}
