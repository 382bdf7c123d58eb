import {
  and,
  asc,
  type Column,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  ne,
  type SQL,
  sql,
  type SQLWrapper,
  sum,
} from "drizzle-orm";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { type SetFee, feesAfter, feesAt } from "#app/catalogue/fees/fee-rules.ts";
import { confirmedFees } from "#app/catalogue/fees/fees.server.ts";
import { categories, serviceFees } from "#app/catalogue/tables.server.ts";
import { expectOneChange, read } from "#app/db/batch.ts";
import { asBoolean, build, insertEach, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { mayNotConfirm } from "#app/moderation/second-admin/weigh-act.server.ts";
import type { LedgerAccount } from "#app/payments/books/ledger-rules.ts";
import { ledgerEntries, payouts, refunds } from "#app/payments/tables.server.ts";
import { monthBounds } from "#app/platform/east-africa-time.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";
import { rolesFor } from "#app/team/role-rules.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";
import { monthlyCosts } from "#app/admin/tables.server.ts";
import { IS_SUGGESTED, isComing } from "./waiting-fees.server.ts";
import { incomeMonths, SENDING_TARIFF, withoutEmpty } from "./income-rules.ts";

/** SQL: the month of a time (ms since 1970) in East Africa Time. */
function monthOf(at: SQLWrapper): SQL<string> {
  return sql<string>`strftime('%Y-%m', ${at} / 1000 + 3 * 3600, 'unixepoch')`;
}

/** The query for what an account took in each month since `from`. Its index has the account and the time. */
function takenByMonth(account: LedgerAccount, from: number) {
  const month = monthOf(ledgerEntries.createdAt).as("month");
  return build
    .select({ month, amount: sql<number>`-${sum(ledgerEntries.amount)}`.as("amount") })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.account, account), gte(ledgerEntries.createdAt, from)))
    .groupBy(sql`month`);
}

/** SQL: what M-Pesa takes for sending `amount`. */
function sendingCost(amount: SQLWrapper): SQL {
  const bands = SENDING_TARIFF.map(({ upTo, cost }) => sql`WHEN ${amount} <= ${upTo} THEN ${cost}`);
  return sql`CASE ${sql.join(bands, sql` `)} ELSE ${SENDING_TARIFF.at(-1)?.cost ?? 0} END`;
}

/** The query for what M-Pesa took for sent payouts, or refunds, in each month since `from`. It reads each of them. */
function sentByMonth(table: typeof payouts | typeof refunds, from: number, only?: SQL) {
  const month = monthOf(table.doneAt).as("month");
  return build
    .select({ month, amount: sql<number>`SUM(${sendingCost(table.amount)})`.as("amount") })
    .from(table)
    .where(and(stateIs(table.state, TRANSFER.isDone), gte(table.doneAt, from), only))
    .groupBy(sql`month`);
}

/** SQL on `serviceFees`: this owner can be the second one. `first`, who suggested it, must still be an owner. */
function mayConfirm(adminId: string, first: Column, now: number): SQL {
  return sql`(${ne(first, adminId)} AND ${isAdmin(first, rolesFor("fee_proposed"))}
    AND NOT ${mayNotConfirm(adminId, first, now)})`;
}

/** What `first` has suggested about a fee, as another owner reads it. */
function suggestedBy(first: Column, adminId: string, now: number) {
  const name = build
    .select({ name: sql`COALESCE(NULLIF(${profiles.fullName}, ''), ${credentials.email})` })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, first));
  return {
    by: sql<string>`(${name})`.as("by_name"),
    isOwn: asBoolean(eq(first, adminId)).as("is_own"),
    mayConfirm: asBoolean(mayConfirm(adminId, first, now)).as("may_confirm"),
  };
}

/** What an owner has proposed, and nobody has confirmed yet. */
function proposedFees(adminId: string, now: number) {
  return build
    .select({
      ...pick(serviceFees, "id", "category", "payer", "share", "smallest", "largest", "asOthers", "startsAt"),
      categoryName: sql<string | null>`COALESCE(${categories.name}, ${serviceFees.category})`.as("category_name"),
      ...suggestedBy(serviceFees.setBy, adminId, now),
    })
    .from(serviceFees)
    .leftJoin(categories, eq(categories.id, serviceFees.category))
    .where(IS_SUGGESTED)
    .orderBy(asc(serviceFees.createdAt));
}

/** The fees to come that an owner suggests to take back. */
function takeBackSuggestions(adminId: string, now: number) {
  return build
    .select({ id: serviceFees.id, ...suggestedBy(serviceFees.takeBackBy, adminId, now) })
    .from(serviceFees)
    .where(and(isComing(now), isNotNull(serviceFees.takeBackBy)));
}

/** The page of the owners: the fees, and what came in and went out by month, the newest first. One round trip. */
export async function openIncome({ db, now }: Store, adminId: string) {
  const months = incomeMonths(now());
  const { from } = monthBounds(months.at(-1) ?? "");
  const found = await read(db, {
    fees: confirmedFees(),
    proposed: proposedFees(adminId, now()),
    takeBack: takeBackSuggestions(adminId, now()),
    categories: build
      .select({ id: categories.id, name: categories.name })
      .from(categories)
      .where(eq(categories.status, "approved"))
      .orderBy(categories.name),
    taken: takenByMonth("fees", from),
    plans: takenByMonth("plans", from),
    paidOut: sentByMonth(payouts, from),
    sentBack: sentByMonth(refunds, from, eq(refunds.method, "b2c")),
    costs: build.select().from(monthlyCosts).where(inArray(monthlyCosts.month, months)),
    counts: adminCounts(),
  });
  const { taken, plans, paidOut, sentBack, costs } = found;
  const of = (rows: readonly { month: string; amount: number }[], month: string) =>
    rows.filter((row) => row.month === month).reduce((total, { amount }) => total + amount, 0);
  return {
    months: withoutEmpty(
      months.map((month) => ({
        month,
        fees: of(taken, month),
        plans: of(plans, month),
        sending: of([...paidOut, ...sentBack], month),
        entered: costs.find((cost) => cost.month === month)?.amount ?? null,
      })),
    ),
    current: feesAt(found.fees, now()),
    coming: feesAfter(found.fees, now()).map((fee) => ({
      ...fee,
      takeBack: found.takeBack.find(({ id }) => id === fee.id) ?? null,
    })),
    proposed: found.proposed,
    categories: found.categories,
    counts: readAdminCounts(found.counts),
    now: now(),
  };
}

export type IncomePage = Awaited<ReturnType<typeof openIncome>>;

/** An owner proposes a fee. It has no effect before another owner confirms it. */
export function proposeFee(store: Store, admin: Admin, fee: Omit<SetFee, "confirmedAt">): Promise<boolean> {
  const id = crypto.randomUUID();
  const row = { id, ...fee, setBy: admin.id, createdAt: store.now() };
  return performAdminAction(store, admin, { action: "fee_proposed", subject: `fee:${id}`, detail: feeDetail(fee) }, [
    build.insert(serviceFees).values(row),
  ]);
}

/** For the audit log. */
function feeDetail({ category, payer, share, smallest, largest, asOthers }: Omit<SetFee, "confirmedAt">): string {
  if (asOthers) return `${category}: as all others`;
  return `${category ?? "all others"}: ${payer}, ${share / 100} %, ${smallest} to ${largest} KES`;
}

/**
 * The second owner confirms a fee. It begins on the day that was chosen, or on `earliest` (ms) if that has become
 * later, so that sellers can read it on My Shop before. Orders that were placed before it begins keep theirs.
 */
export function confirmFee(
  store: Store,
  admin: Admin,
  { id, earliest }: { id: string; earliest: number },
): Promise<boolean> {
  const now = store.now();
  return performAdminAction(store, admin, { action: "fee_confirmed", subject: `fee:${id}` }, [
    build
      .update(serviceFees)
      .set({
        confirmedBy: admin.id,
        confirmedAt: now,
        startsAt: sql`MAX(${serviceFees.startsAt}, ${earliest})`,
      })
      .where(and(eq(serviceFees.id, id), IS_SUGGESTED, mayConfirm(admin.id, serviceFees.setBy, now))),
    expectOneChange(),
  ]);
}

/** Declines a proposed fee, which one owner can do alone: everything stays as it is. */
export function declineFee(store: Store, admin: Admin, id: string): Promise<boolean> {
  return performAdminAction(store, admin, { action: "fee_declined", subject: `fee:${id}` }, [
    build.delete(serviceFees).where(and(eq(serviceFees.id, id), IS_SUGGESTED)),
    expectOneChange(),
  ]);
}

/** An owner suggests to take back a confirmed fee. It still begins on its day, unless another owner confirms that. */
export function proposeTakeBack(store: Store, admin: Admin, id: string): Promise<boolean> {
  const now = store.now();
  return performAdminAction(store, admin, { action: "fee_take_back_proposed", subject: `fee:${id}` }, [
    build
      .update(serviceFees)
      .set({ takeBackBy: admin.id, takeBackAt: now })
      .where(and(eq(serviceFees.id, id), isComing(now), isNull(serviceFees.takeBackBy))),
    expectOneChange(),
  ]);
}

/** The second owner takes a fee back that hasn't begun. Then everything stays as it is. */
export function takeBackFee(store: Store, admin: Admin, id: string): Promise<boolean> {
  const now = store.now();
  return performAdminAction(store, admin, { action: "fee_taken_back", subject: `fee:${id}` }, [
    build
      .delete(serviceFees)
      .where(and(eq(serviceFees.id, id), isComing(now), mayConfirm(admin.id, serviceFees.takeBackBy, now))),
    expectOneChange(),
  ]);
}

/** Declines to take a fee back: it begins on its day. */
export function keepFee(store: Store, admin: Admin, id: string): Promise<boolean> {
  return performAdminAction(store, admin, { action: "fee_kept", subject: `fee:${id}` }, [
    build
      .update(serviceFees)
      .set({ takeBackBy: null, takeBackAt: null })
      .where(and(eq(serviceFees.id, id), isComing(store.now()), isNotNull(serviceFees.takeBackBy))),
    expectOneChange(),
  ]);
}

/** A proposed fee that nobody has confirmed yet; null where there is none. */
export async function findProposedFee({ db }: Pick<Store, "db">, id: string) {
  const [fee] = await db
    .select()
    .from(serviceFees)
    .where(and(eq(serviceFees.id, id), IS_SUGGESTED));
  return fee ?? null;
}

/** Whether such a category can have a fee of its own. */
export async function isCategory({ db }: Pick<Store, "db">, id: string): Promise<boolean> {
  const isFound = and(eq(categories.id, id), eq(categories.status, "approved"));
  const found = await db.select({ id: categories.id }).from(categories).where(isFound);
  return found.length > 0;
}

/** Enters what a month cost besides M-Pesa's sending, in KES. `seen`: what the owner saw; empty for nothing yet. */
export function setMonthlyCost(
  store: Store,
  admin: Admin,
  { month, amount, seen }: { month: string; amount: number; seen: string },
): Promise<boolean> {
  const row = { month, amount, setBy: admin.id, updatedAt: store.now() };
  const action = {
    action: "cost_set",
    subject: `month:${month}`,
    detail: `${seen || "nothing"} to ${amount}`,
  } as const;
  return performAdminAction(store, admin, action, [
    seen === ""
      ? insertEach(
          monthlyCosts,
          row,
          sql`FROM (SELECT 1)
          WHERE NOT EXISTS (SELECT 1 FROM ${monthlyCosts} WHERE ${monthlyCosts.month} = ${month})`,
        )
      : build
          .update(monthlyCosts)
          .set(row)
          .where(and(eq(monthlyCosts.month, month), eq(monthlyCosts.amount, Number(seen)))),
    expectOneChange(),
  ]);
}
