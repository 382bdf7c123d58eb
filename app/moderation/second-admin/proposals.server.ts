/** The desk of the second admin: acts that move more than one admin may move alone. */
import type { PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { expectOneChange, expectThat, holds, read } from "#app/db/batch.ts";
import { asJson, build, named, oneRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { adminProposals, moderationCases, reports } from "#app/moderation/tables.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import type { Decision } from "#app/db/states/deal.ts";
import type { CaseDecision } from "#app/db/states/moderation.ts";
import { IS_OPEN_PROPOSAL } from "./open-proposals.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import {
  caseMoves,
  caseMovesSince,
  heldMoves,
  issueMoves,
  itemMoves,
  paymentMoves,
  TRANSFER_MOVES,
} from "./act-moves.server.ts";
import { isProposalGood, type ProposedAct } from "./second-admin-rules.ts";
import { amountOf, mayNotConfirm } from "./weigh-act.server.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";
import { rolesFor } from "#app/team/role-rules.ts";
import { adminCounts, type AdminCounts, PAGE_SIZE, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";
import { formatKes } from "#app/ui/money.ts";
import { endWaitingDeals, keepWaitingDeals } from "#app/moderation/suspensions/waiting-deals.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";

export interface ProposalRow extends Omit<StoredProposal, "input"> {
  /** KES that it would move now. */
  amountNow: number;
  /** Whose money it is, with their side of the deal. */
  people: string[];
  /** It can still be confirmed: what it rests on hasn't changed, and it isn't too old. */
  isGood: boolean;
  /** The decision's part for the buyer, or the M-Pesa receipt; null for neither. */
  detail: string | null;
  /** Of a case: how many people have reported it since. */
  newReports: number;
  /** Of a case: its listing has changed since. */
  isEdited: boolean;
  /** When the case or its listing last changed, in ms. Null where it is about something else. */
  changedAt: number | null;
}

export interface ProposalsPage {
  rows: ProposalRow[];
  counts: AdminCounts;
}

/** SQL: the money that each act moves. `id` is that of its subject. */
const MOVES: Record<ProposedAct, (id: string, proposalId: string) => SQL> = {
  team_refunded: itemMoves,
  team_split: itemMoves,
  team_released: itemMoves,
  deals_ended: (_caseId, proposalId) => heldMoves(proposalId),
  case_dismissed: caseMoves,
  case_removed: caseMoves,
  case_warned: caseMoves,
  issue_closed: issueMoves,
  ...TRANSFER_MOVES,
  payment_accepted: paymentMoves,
  payment_dismissed: paymentMoves,
};

/** What came after a proposal, and doesn't end it. */
function movesSince({ act, subject, createdAt }: Pick<StoredProposal, "act" | "subject" | "createdAt">): SQL {
  const isCase = act === "case_dismissed" || act === "case_removed" || act === "case_warned";
  return isCase ? caseMovesSince(idOf(subject), createdAt) : sql`SELECT 0 AS amount`;
}

function selectOpen(only?: SQL) {
  const { id, act, subject, adminId, input, reasons, amount, createdAt } = adminProposals;
  const adminName = sql<string>`COALESCE(NULLIF(${profiles.fullName}, ''), ${credentials.email})`;
  return build
    .select({ id, act: sql<ProposedAct>`${act}`, subject, adminId, adminName, input, reasons, amount, createdAt })
    .from(adminProposals)
    .innerJoin(credentials, eq(credentials.id, adminId))
    .leftJoin(profiles, eq(profiles.id, adminId))
    .where(and(IS_OPEN_PROPOSAL, only))
    .orderBy(createdAt, id)
    .limit(PAGE_SIZE);
}

/** `amount`: KES that it would have moved when it was made. `createdAt` in ms since 1970. */
type StoredProposal = Awaited<ReturnType<typeof selectOpen>>[number];

/** The open proposals, oldest first. Two round trips. */
export async function listProposals({ db, now }: Store): Promise<ProposalsPage> {
  const { proposals, counts } = await read(db, { proposals: selectOpen(), counts: adminCounts() });
  const moved = proposals.length === 0 ? [] : await read(db, proposals.map(selectMoved));
  return {
    rows: proposals.map((proposal, place) => rowFrom(proposal, moved[place]?.[0], now())),
    counts: readAdminCounts(counts),
  };
}

/** What a proposal moves now, and the names of the people whose money it is. */
function selectMoved(proposal: Pick<StoredProposal, "id" | "act" | "subject" | "createdAt">) {
  const moves = movesOf(proposal);
  const people = build
    .selectDistinct({ ...named({ name: profiles.fullName }) })
    .from(sql`(${moves}) moved`)
    .innerJoin(profiles, sql`${profiles.id} IN (moved.buyer_id, moved.seller_id)`)
    .limit(10)
    .as("people");
  const names = build.select({ names: sql`json_group_array(${people.name})` }).from(people);
  const listing = and(eq(moderationCases.subject, "listing"), eq(products.id, moderationCases.subjectId));
  const isLater = and(eq(reports.caseId, moderationCases.id), gt(reports.createdAt, proposal.createdAt));
  const news = build
    .select({
      news: sql`json_object('newReports', ${build.$count(reports, isLater)}, 'caseAt', ${moderationCases.updatedAt},
        'listingAt', ${products.updatedAt})`,
    })
    .from(moderationCases)
    .leftJoin(products, listing)
    .where(eq(moderationCases.id, idOf(proposal.subject)));
  return oneRow({
    amount: amountOf(moves),
    added: amountOf(movesSince(proposal)),
    people: asJson<string[]>(sql`${names}`),
    news: asJson<CaseNews | null>(sql`COALESCE((${news}), 'null')`),
  });
}

interface CaseNews {
  newReports: number;
  /** When each was last changed, in ms. */
  caseAt: number;
  listingAt: number | null;
}

function movesOf({ id, act, subject }: Pick<StoredProposal, "id" | "act" | "subject">): SQL {
  return MOVES[act](idOf(subject), id);
}

function idOf(subject: string): string {
  return subject.slice(subject.indexOf(":") + 1);
}

type Moved = Awaited<ReturnType<typeof selectMoved>>[number];

function rowFrom({ input, ...proposal }: StoredProposal, moved: Moved | undefined, now: number): ProposalRow {
  const amountNow = moved?.amount ?? 0;
  const { amount, receipt } = readInput(input);
  const news = moved?.news ?? null;
  return {
    ...proposal,
    amountNow,
    people: moved?.people ?? [],
    isGood: isProposalGood(proposal, amountNow - (moved?.added ?? 0), now),
    newReports: news?.newReports ?? 0,
    isEdited: (news?.listingAt ?? 0) > proposal.createdAt,
    changedAt: news && Math.max(news.caseAt, news.listingAt ?? 0),
    detail: receipt ?? (proposal.act === "team_split" ? `${formatKes(amount ?? 0)} back` : null),
  };
}

/** What `weighAct` wrote. */
export interface ProposalInput {
  decision?: Decision;
  amount?: number;
  receipt?: string;
  reserved?: boolean;
}

function readInput(input: string): ProposalInput {
  return JSON.parse(input) as ProposalInput;
}

async function findProposal(db: Database, id: string): Promise<StoredProposal | null> {
  const [proposal] = await read(db, selectOpen(eq(adminProposals.id, id)));
  return proposal ?? null;
}

export interface ProposalServices extends DealServices, PhotoServices {
  /** Goes on with work after the response. */
  defer(work: Promise<unknown>): void;
}

/** A key of the messages of the admin pages. */
export type ProposalOutcome =
  | "confirmed"
  | "declined"
  | "deals_kept"
  | "decided_by_you"
  | "concerned"
  | "reporter"
  | "related"
  | "own_money"
  | "proposed"
  | "proposed_by_you"
  | "new_admin"
  | "stale";

/** Does an act as the first admin asked for it. `id`: of its subject. */
type DeskAct<Outcome> = (
  services: ProposalServices,
  admin: Admin,
  proposal: { id: string; input: ProposalInput; reasons: string },
) => Promise<Outcome>;

/** The acts that the desks of `app/admin` propose. The desks come after this folder, so they hand them in. */
export type DeskActs<Outcome> = Record<Exclude<ProposedAct, keyof typeof CONFIRM>, DeskAct<Outcome>>;

/**
 * Does what another admin has proposed, by the same use case and its guards. `seenAmount`: the KES that the second
 * admin read, and `changedAt` of the row that they read; if either has changed, nothing happens (`stale`). What came
 * after the proposal, the second admin decides about alone, or proposes it anew ("proposed").
 */
export async function confirmProposal<Outcome>(
  services: ProposalServices,
  admin: Admin,
  { id, seenAmount, changedAt = null }: { id: string; seenAmount: number; changedAt?: number | null | undefined },
  deskActs: DeskActs<Outcome>,
): Promise<Outcome | ProposalOutcome> {
  const proposal = await findProposal(services.db, id);
  if (!proposal) return "stale";
  if (proposal.adminId === admin.id) return "proposed_by_you";
  if (await holds(services.db, mayNotConfirm(admin.id, proposal.adminId, services.now()))) return "new_admin";
  const sums = oneRow({ amount: amountOf(movesOf(proposal)), added: amountOf(movesSince(proposal)) });
  const [moved] = await read(services.db, sums);
  const { amount, added } = moved ?? { amount: 0, added: 0 };
  if (amount !== seenAmount || !isProposalGood(proposal, amount - added, services.now())) return "stale";
  const { act, subject, input, reasons } = proposal;
  if (isOfCase(act)) return CONFIRM[act](services, admin, proposal, changedAt ?? proposal.createdAt);
  return deskActs[act](services, admin, { id: idOf(subject), input: readInput(input), reasons });
}

/** `seenAt`: when what the second admin has read was last changed, ms. */
type Confirm = (
  services: ProposalServices,
  admin: Admin,
  proposal: StoredProposal,
  seenAt: number,
) => Promise<ProposalOutcome>;

function decideReported(decision: Exclude<CaseDecision, "suspended">): Confirm {
  return async (services, admin, { subject, reasons }, seenAt) => {
    const about = { caseId: idOf(subject), decision, statement: reasons, seenAt };
    const decided = await decideCase(services, admin, about);
    if (decided.ok) return decided.waits ? "proposed" : "confirmed";
    return decided.code === "concerned" || decided.code === "reporter" || decided.code === "related"
      ? decided.code
      : "stale";
  };
}

/** How the acts about a case are done by the second admin: as the first one asked for it. */
const CONFIRM = {
  deals_ended: async (services, admin, proposal) => {
    const ended = await endWaitingDeals(services, admin, proposal);
    if (ended.ok) return "confirmed";
    return ended.code === "decided" ? "decided_by_you" : ended.code;
  },
  case_dismissed: decideReported("dismissed"),
  case_removed: decideReported("removed"),
  case_warned: decideReported("warned"),
} as const satisfies Partial<Record<ProposedAct, Confirm>>;

function isOfCase(act: ProposedAct): act is keyof typeof CONFIRM {
  return act in CONFIRM;
}

/**
 * Declines a proposal, or takes back one's own. Deals that wait go on, so only another admin who may confirm that they
 * end may decline it: the one who decided undoes the decision instead.
 */
export async function declineProposal(services: DealServices, admin: Admin, id: string): Promise<ProposalOutcome> {
  const proposal = await findProposal(services.db, id);
  if (!proposal) return "stale";
  if (proposal.act === "deals_ended") {
    if (proposal.adminId === admin.id) return "proposed_by_you";
    if (await holds(services.db, mayNotConfirm(admin.id, proposal.adminId, services.now()))) return "new_admin";
    const kept = await keepWaitingDeals(services, admin, proposal);
    if (kept.ok) return "deals_kept";
    return kept.code === "decided" ? "decided_by_you" : kept.code;
  }
  // Nobody stands in the way of a decision about their own money.
  const isOwn = sql`EXISTS (SELECT 1 FROM (${movesOf(proposal)}) WHERE ${admin.id} IN (buyer_id, seller_id))`;
  if (await holds(services.db, isOwn)) return "own_money";
  const done = await performAdminAction(
    services,
    admin,
    { action: "act_declined", subject: proposal.subject, detail: proposal.act },
    [
      expectThat(isAdmin(admin.id, rolesFor(proposal.act))),
      build
        .update(adminProposals)
        .set({ state: "declined", decidedBy: admin.id, decidedAt: services.now() })
        .where(and(eq(adminProposals.id, id), IS_OPEN_PROPOSAL)),
      expectOneChange(),
    ],
  );
  return done ? "declined" : "stale";
}
