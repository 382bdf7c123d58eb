import { itemRow } from "#app/orders/table-rows.server.ts";
import { and, desc, eq, inArray, isNotNull, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { maskPhone } from "#app/accounts/profile/phone.ts";
import { type Cursor, readCursor } from "#app/catalogue/catalogue-rules.ts";
import { read } from "#app/db/batch.ts";
import { build, hasRow, named, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { adminProposals } from "#app/moderation/tables.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { dealEvents, issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { readThread, selectThread } from "#app/messaging/conversations/team-messages.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealEvent, Decision } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { threadSql } from "#app/messaging/thread-sql.server.ts";
import { readProblem, selectProblem } from "#app/deals/problems/problem-page.server.ts";
import { IS_OPEN_PROPOSAL } from "#app/moderation/second-admin/open-proposals.server.ts";
import { orderedColumns, withOrdered } from "#app/orders/ordered-listing.server.ts";
import { keptPayment } from "#app/payments/transfers/item-money.server.ts";
import { orderPayments } from "#app/admin/money/order-payments.server.ts";
import { DEALS_COUNTED, PERSON, SALES_COMPLETED, SOLD } from "#app/team/person-columns.server.ts";
import { claimOn } from "#app/team/claims.server.ts";
import { adminCounts, PAGE_SIZE, pageOf, readAdminCounts, toListPage } from "#app/team/admin-pages.server.ts";
import { problemList, type ProblemListName } from "./problem-lists.ts";

type Reads = Pick<Store, "db" | "now">;

const buyers = alias(profiles, "buyers");
const sellers = alias(profiles, "sellers");
const NO_ROW = sql`0`;

/** One page of a list: whoever waits the longest comes first, and of closed reports the latest. One round trip. */
export async function listProblems({ db, now }: Reads, name: ProblemListName, after: string | null) {
  const { items, reports } = problemList(name);
  const at = now();
  const order = reports === "closed" ? "newest" : "oldest";
  const cursor = readCursor(after);
  const { ofItems, ofReports, counts } = await read(db, {
    ofItems: selectItems(items, at, pageOf(itemRow.updatedAt, itemRow.id, order, cursor)),
    ofReports: selectReports(reports, at, pageOf(issueReports.createdAt, issueReports.id, order, cursor)),
    counts: adminCounts(),
  });
  const rows = [
    ...ofItems.map(({ images, ...item }) => ({ of: "item" as const, image: images[0] ?? null, ...item })),
    ...ofReports.map(({ images, ...report }) => ({ of: "report" as const, image: images?.[0] ?? null, ...report })),
  ].toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  if (order === "newest") rows.reverse();
  return { ...toListPage(rows), counts: readAdminCounts(counts), now: at };
}

function selectItems(
  which: "in_review" | "talking" | undefined,
  now: number,
  { beyond, sorted }: ReturnType<typeof pageOf>,
) {
  const inReview = stateIs(itemRow.status, ITEM.isInReview);
  const lastEvent = build
    .select({ event: dealEvents.event })
    .from(dealEvents)
    .where(eq(dealEvents.orderItemId, itemRow.id))
    .orderBy(desc(dealEvents.createdAt), desc(dealEvents.id))
    .limit(1);
  return (
    build
      .select({
        id: itemRow.id,
        orderId: itemRow.orderId,
        ...named({ text: itemRow.productName }),
        claim: claimOn(sql`'problem:' || ${itemRow.id}`, now).as("claim"),
        subtotal: itemRow.subtotal,
        status: itemRow.status,
        buyer: sql<string | null>`${buyers.fullName}`.as("buyer"),
        seller: sql<string | null>`${sellers.fullName}`.as("seller"),
        kind: problems.kind,
        offeredRefund: problems.offeredRefund,
        images: products.images,
        lastEvent: sql<DealEvent | null>`${lastEvent}`.as("last_event"),
        createdAt: itemRow.updatedAt,
      })
      .from(itemRow)
      .innerJoin(orders, eq(orders.id, itemRow.orderId))
      .innerJoin(products, eq(products.id, itemRow.productId))
      .leftJoin(buyers, eq(buyers.id, orders.userId))
      .leftJoin(sellers, eq(sellers.id, itemRow.sellerId))
      .leftJoin(problems, eq(problems.orderItemId, itemRow.id))
      // The second condition is that of the index.
      .where(
        and(
          which ? undefined : NO_ROW,
          stateIs(itemRow.status, ITEM.hasOpenProblem),
          which === "in_review" ? inReview : not(inReview),
          beyond,
        ),
      )
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1)
  );
}

function selectReports(
  status: "open" | "closed" | undefined,
  now: number,
  { beyond, sorted }: ReturnType<typeof pageOf>,
) {
  return build
    .select({
      id: issueReports.id,
      orderId: issueReports.orderId,
      ...named({ text: issueReports.description }),
      status: issueReports.status,
      buyer: sql<string | null>`${buyers.fullName}`.as("buyer"),
      seller: sql<string | null>`${sellers.fullName}`.as("seller"),
      images: products.images,
      claim: claimOn(sql`'problem:' || ${issueReports.id}`, now).as("claim"),
      outcome: issueReports.outcome,
      createdAt: issueReports.createdAt,
    })
    .from(issueReports)
    .leftJoin(products, eq(products.id, issueReports.productId))
    .leftJoin(buyers, eq(buyers.id, issueReports.userId))
    .leftJoin(sellers, eq(sellers.id, issueReports.sellerId))
    .where(and(status ? eq(issueReports.status, status) : NO_ROW, beyond))
    .orderBy(...sorted)
    .limit(PAGE_SIZE + 1);
}

/**
 * `text`: the item's name, or the report's words. `kind`: null where the buyer reported nothing. Amounts in KES;
 * `createdAt`: when the item got this status, or the report was sent, ms since 1970.
 */
export type ProblemSummary = Awaited<ReturnType<typeof listProblems>>["rows"][number];

/** How many messages of the conversation a page shows. */
const MESSAGES_SHOWN = 100;

/**
 * Everything that a decision about an item needs; null when there is no such paid item. One round trip.
 * `before` is the cursor of older messages.
 */
export async function findProblemDetails(db: Database, itemId: string, before: Cursor | null = null) {
  const orderId = valueOfItem(itemId, itemRow.orderId);
  const buyerId = valueOfItem(itemId, orders.userId);
  const sellerId = valueOfItem(itemId, itemRow.sellerId);
  const {
    row: [row],
    people,
    payments,
    messages,
    reports,
    proposal: [proposal = null],
    ...problem
  } = await read(db, {
    row: selectSale(itemId),
    people: selectPeople(sql`(${buyerId}, ${sellerId})`),
    ...selectProblem(itemId),
    payments: orderPayments(orderId),
    messages: selectThread(threadSql(buyerId, sellerId), { before, limit: MESSAGES_SHOWN }),
    reports: selectOpenReports(orderId),
    proposal: selectOpenProposal(itemId),
  });
  const item = row && withOrdered(row);
  const personOf = (id: string | undefined) => people.find((person) => person.id === id);
  const [buyer, seller] = [personOf(item?.buyerId), personOf(item?.sellerId)];
  if (!item || !buyer || !seller) return null;
  return {
    item: {
      ...item,
      payerPhone: item.payerPhone && maskPhone(item.payerPhone),
      sellerPhone: item.sellerPhone && maskPhone(item.sellerPhone),
    },
    buyer,
    seller,
    ...readProblem(problem, item, "admin"),
    payments: payments.results,
    conversation: readThread(messages, { before, limit: MESSAGES_SHOWN }),
    reports,
    proposal,
  };
}

/** SQL: a value of an item or its order. */
function valueOfItem(itemId: string, value: SQLiteColumn) {
  return build
    .select({ value })
    .from(itemRow)
    .innerJoin(orders, eq(orders.id, itemRow.orderId))
    .where(eq(itemRow.id, itemId));
}

function selectSale(itemId: string) {
  const ordered = orderedColumns("item_row", { seesHidden: true });
  return build
    .select({
      ...pick(itemRow, "id", "orderId", "productId"),
      name: itemRow.productName,
      ...pick(itemRow, "subtotal", "buyerFee", "sellerFee"),
      ...pick(itemRow, "quantity", "handover", "status", "shippedAt", "deliveredAt"),
      ...named({ listingStatus: products.status }),
      listingSuspendedAt: products.suspendedAt,
      listingDeletedAt: products.deletedAt,
      orderAmount: orders.amount,
      deliveryOption: orders.deliveryOption,
      placedAt: orders.createdAt,
      receipt: paymentAttempts.receipt,
      payerPhone: paymentAttempts.phone,
      ...named({ sellerPhone: sellers.phone }),
      buyerId: orders.userId,
      sellerId: itemRow.sellerId,
      copied: ordered.copied.as("copied"),
      listed: ordered.listed.as("listed"),
    })
    .from(itemRow)
    .innerJoin(orders, eq(orders.id, itemRow.orderId))
    .innerJoin(products, eq(products.id, itemRow.productId))
    .leftJoin(sellers, eq(sellers.id, itemRow.sellerId))
    .leftJoin(paymentAttempts, eq(paymentAttempts.id, keptPayment(itemRow.orderId)))
    .where(and(eq(itemRow.id, itemId), isNotNull(itemRow.paidAt)));
}

/** The people with these ids, and how often there was a problem with what they sold and bought. */
function selectPeople(ids: SQL) {
  const bought = build
    .select({ id: orderItems.id })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.userId, credentials.id))
    .limit(DEALS_COUNTED)
    .as("bought");
  const isReported = (item: SQLWrapper) => hasRow(problems, eq(problems.orderItemId, item));
  return build
    .select({
      ...PERSON,
      salesCompleted: SALES_COMPLETED,
      problemsAsSeller: build.$count(SOLD, isReported(SOLD.id)),
      problemsAsBuyer: build.$count(bought, isReported(bought.id)),
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(inArray(credentials.id, ids));
}

function selectOpenReports(orderId: SQLWrapper) {
  return build
    .select({ id: issueReports.id, description: issueReports.description, createdAt: issueReports.createdAt })
    .from(issueReports)
    .where(and(eq(issueReports.orderId, orderId), eq(issueReports.status, "open")))
    .orderBy(issueReports.createdAt)
    .limit(20);
}

function selectOpenProposal(itemId: string) {
  return build
    .select({
      id: adminProposals.id,
      adminId: adminProposals.adminId,
      adminName: sql<string>`COALESCE(NULLIF(${profiles.fullName}, ''), ${credentials.email})`,
      decision: sql<Decision>`${adminProposals.input} ->> 'decision'`,
      amount: sql<number>`${adminProposals.input} ->> 'amount'`,
      reasons: adminProposals.reasons,
    })
    .from(adminProposals)
    .innerJoin(credentials, eq(credentials.id, adminProposals.adminId))
    .leftJoin(profiles, eq(profiles.id, adminProposals.adminId))
    .where(and(eq(adminProposals.subject, `order_item:${itemId}`), IS_OPEN_PROPOSAL));
}

/**
 * `payerPhone`, `sellerPhone`: masked, the number that paid and the number of the seller's payouts. `reports`: open
 * ones about the order. `proposal`: a decision that a second admin must confirm. Amounts in KES, times in ms since
 * 1970.
 */
export type ProblemDetails = NonNullable<Awaited<ReturnType<typeof findProblemDetails>>>;

/**
 * One side of a sale, with how many of its deals as a seller are completed, and in how many of its deals a problem was
 * reported.
 */
export type ProblemPerson = ProblemDetails["buyer"];
