import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Statement, expectOneChange, expectThat, retryOnConflict, write } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { meetings, orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { MEETING, type MeetingEvent, type MeetingState } from "#app/db/states/meeting.ts";
import { agreeOnItem, contactBuyer } from "#app/deals/agreement.server.ts";
import { findMessageByKey } from "#app/messaging/conversations/messages.server.ts";
import { type MessagingServices, sendMessage, type SendRefusal } from "#app/messaging/sending/send-message.server.ts";
import { type FoundItem, findItemMeeting, type ItemMeeting } from "./find-meeting.server.ts";
import { tellMeeting } from "./tell-meeting.server.ts";
import {
  type MeetingErrors,
  type MeetingValues,
  nextMeetingState,
  readSuggestion,
  remindAt,
  type Suggestion,
  SUGGESTIONS_MAX,
} from "./meeting-rules.ts";
import { stepMessage } from "./meeting-step-texts.ts";

export interface StepInput {
  itemId: string;
  /** Who pressed the button. */
  by: string;
  step: MeetingEvent;
  /** The round that they saw; 0 before the first suggestion. */
  round: number;
  /** The form of a suggestion, as typed. */
  values?: MeetingValues;
}

export type StepRefusal =
  /** The item isn't paid, or it was handed over or given back. */
  | "not_open"
  /** The meeting has changed since they saw it. */
  | "changed"
  /** The time to accept has passed. */
  | "past"
  | "too_many_suggestions"
  | SendRefusal
  /** The form of a suggestion has errors. */
  | "invalid";

export type StepResult =
  | { ok: true; item: ItemMeeting }
  /** No such item, or neither its buyer nor its seller. */
  | { ok: false; code: "not_found" }
  | { ok: false; code: "invalid"; errors: MeetingErrors }
  | { ok: false; code: Exclude<StepRefusal, "invalid"> };

const MAX_TRIES = 6;

/**
 * Suggests, accepts, declines or cancels a meeting: the meeting, what it means for the item, the message that says so,
 * and the email, in one guarded batch. Safe to repeat, and at the same time as the other side's step.
 */
export async function stepMeeting(services: MessagingServices, input: StepInput): Promise<StepResult> {
  return retryOnConflict(MAX_TRIES, async (attempt) => {
    const found = await findItemMeeting(services, input.itemId, input.by);
    if (!found) return { ok: false, code: "not_found" };
    const read = input.step === "suggested" ? readValues(services, found, input) : null;
    const suggestion = read?.ok ? read.suggestion : null;
    const next = nextMeetingState(
      found.item.meeting?.state ?? null,
      input.step,
      found.item.meeting?.proposedBy === input.by,
    );
    const refusal = refuseStep(services, found.item, next, input);
    if (refusal && attempt === 1 && (await isRepeat(services, found.item, input, suggestion)))
      return { ok: true, item: found.item };
    if (next === null || refusal) return { ok: false, code: refusal ?? "changed" };
    if (read && !read.ok) return { ok: false, code: "invalid", errors: read.errors };
    const refused = await take(services, found.item, next, suggestion, input);
    return refused ?? { ok: true, item: found.item };
  });
}

function readValues({ now }: MessagingServices, { places }: FoundItem, { values }: StepInput) {
  return readSuggestion(values ?? { point: "", otherPlace: "", day: "", time: "" }, places, now());
}

function refuseStep(
  { now }: MessagingServices,
  { isOpen, meeting }: ItemMeeting,
  next: MeetingState | null,
  { step, round }: StepInput,
) {
  if (!isOpen) return "not_open";
  if (next === null || round !== (meeting?.round ?? 0)) return "changed";
  if (step === "accepted" && meeting && meeting.startsAt <= now()) return "past";
  return step === "suggested" && round >= SUGGESTIONS_MAX ? "too_many_suggestions" : null;
}

/** The same step was taken before. Another place or time is not the same. */
async function isRepeat(
  services: MessagingServices,
  { meeting }: ItemMeeting,
  input: StepInput,
  suggestion: Suggestion | null,
): Promise<boolean> {
  if (input.step === "suggested") {
    const same = meeting?.place === suggestion?.place && meeting?.startsAt === suggestion?.startsAt;
    return same && meeting?.proposedBy === input.by && meeting.round === input.round + 1;
  }
  return (await findMessageByKey(services, input.by, keyOf(input))) !== null;
}

function keyOf({ itemId, step, round }: StepInput): string {
  return `meeting:${itemId}:${step === "suggested" ? round + 1 : round}:${step}`;
}

/** Null once it is written; otherwise why the message wasn't sent. */
async function take(
  services: MessagingServices,
  item: ItemMeeting,
  next: MeetingState,
  suggestion: Suggestion | null,
  input: StepInput,
): Promise<{ ok: false; code: SendRefusal | "changed" } | null> {
  const now = services.now();
  const { itemId, by, step } = input;
  const arranged = suggestion ?? item.meeting;
  if (!arranged) throw new Error(`item ${itemId} has no meeting`);
  const statements: Statement[] = [
    expectThat(hasRow(orderItems, and(eq(orderItems.id, itemId), stateIs(orderItems.status, ITEM.isMeetable)))),
    suggestion ? writeSuggestion(item, suggestion, by, now) : writeAnswer(item, next, now),
    expectOneChange(),
    ...(step === "accepted" ? agree(item, now) : []),
    ...tellMeeting(item, step, { by, key: keyOf(input), arranged, now }),
  ];
  const text = stepMessage(step, arranged, item.meeting?.state ?? null);
  const sent = await sendMessage(services, {
    senderId: by,
    about: { kind: "item", id: itemId },
    text,
    key: keyOf(input),
    step: { kind: "meeting", statements },
  });
  // Their other tab may have suggested something else at the same time.
  if (sent.ok) return sent.message.message === text ? null : { ok: false, code: "changed" };
  const isCutOff = sent.code === "blocked" || sent.code === "blocked_by_me" || sent.code === "no_recipient";
  if (!isCutOff || (step !== "declined" && step !== "cancelled")) return sent;
  // Whoever can't come says so, even to somebody who gets no messages: from them, or from anybody while suspended.
  await write(services.db, statements);
  const moved = { type: "order", orderId: item.orderId, orderItemId: itemId } as const;
  services.defer(Promise.all([item.buyer, item.seller].map(({ id }) => services.notifier.send(id, moved))));
  return null;
}

function writeSuggestion(
  { itemId, meeting }: ItemMeeting,
  { pointId, place, startsAt }: Suggestion,
  by: string,
  now: number,
): Statement {
  const suggested = { pointId, place, startsAt, proposedBy: by, updatedAt: now } satisfies Partial<
    typeof meetings.$inferInsert
  >;
  if (!meeting)
    return build
      .insert(meetings)
      .values({ orderItemId: itemId, ...suggested, createdAt: now })
      .onConflictDoNothing();
  return build
    .update(meetings)
    .set({
      ...suggested,
      ...passed(meeting, now),
      state: "proposed",
      round: sql`${meetings.round} + 1`,
      remindAt: null,
    })
    .where(isSeen(itemId, meeting));
}

function writeAnswer({ itemId, meeting }: ItemMeeting, next: MeetingState, now: number): Statement {
  const reminder = meeting && next === "accepted" ? remindAt(meeting.startsAt, now) : null;
  return build
    .update(meetings)
    .set({ state: next, ...(meeting && passed(meeting, now)), remindAt: reminder, updatedAt: now })
    .where(meeting ? isSeen(itemId, meeting) : sql`0`);
}

/** Whoever didn't come can't undo the meeting afterwards by cancelling it, or by suggesting another time. */
function passed({ state, startsAt }: NonNullable<ItemMeeting["meeting"]>, now: number): { passedAt?: number } {
  return MEETING.isAccepted(state) && startsAt <= now ? { passedAt: startsAt } : {};
}

/** The meeting hasn't changed since it was read. */
function isSeen(itemId: string, { round, state }: NonNullable<ItemMeeting["meeting"]>): SQL | undefined {
  return and(eq(meetings.orderItemId, itemId), eq(meetings.round, round), eq(meetings.state, state));
}

/**
 * Accepting a meeting agrees to the handover: the buyer accepts the seller's suggestion, or has made the one that the
 * seller accepts. What happens to the meeting later doesn't take the agreement back.
 */
function agree({ itemId, buyer, seller }: ItemMeeting, now: number): Statement[] {
  return [...contactBuyer(itemId, seller.id, now), ...agreeOnItem(itemId, buyer.id, now)];
}
