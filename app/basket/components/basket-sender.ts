/**
 * Sends changes of cart and wishlist. A chunk of its own, fetched once the page works. Requests about the same thing
 * never overtake each other: one is on its way, the latest choice waits, and choices in between are dropped. A request
 * that is lost is repeated with the same key, so that the server adds once. Without a connection a change stays shown
 * and waits. What a reload interrupts is kept in the tab's storage and sent by the next page.
 */
import type { SubmitFunction } from "react-router";
import { FAILED_TEXTS } from "#app/basket/failed-texts.ts";
import { type BasketChange, targetOf } from "#app/basket/basket-rules.ts";
import { onForget, readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { reloadIfFailed } from "#app/ui/browser/reload.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { type Answered, BASKET_ACTION, pageId, pendingChange, setPending, takeAnswer } from "./basket-changes.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How often a change is tried, and the pause between attempts, in ms. */
const TRIES = 3;
const PAUSE_MS = 1_000;
/** A change that waited longer for a connection is dropped, ms, because its user no longer expects it. */
const KEPT_MS = 30 * MINUTE_MS;
const KEPT = "unsent-basket";
const OFFLINE_TEXT = "You're offline. We'll save your change when you're back online.";

export interface Router {
  submit: SubmitFunction;
  revalidate(): Promise<void>;
}

interface Unsent {
  change: BasketChange;
  /** The server makes a change with this key once, however often it is sent. */
  key: string;
  failedText: string;
  /** Ms since 1970. */
  at: number;
}

/** Pressing these again while one is being sent changes nothing. For the others, the latest choice counts. */
const ONCE: ReadonlySet<BasketChange["intent"]> = new Set(["add-to-cart", "move-to-cart", "move-to-wishlist"]);

const underWay = new Set<string>();
/** By target. */
let unsent = new Map<string, Unsent>();
/** Whose changes they are; nobody's from a logout on, so that what is still under way is not kept. */
let keptFor: string | undefined;
/** A change led to the login. */
let hasLeft = false;

/** Makes a change. It shows at once, and is undone with `failedText` if it fails. */
export function send(router: Router, change: BasketChange, failedText?: string): void {
  const target = targetOf(change);
  if (underWay.has(target)) {
    if (!ONCE.has(change.intent) || pendingChange(target)?.intent !== change.intent) setPending(target, change);
    return;
  }
  void work(router, target, toUnsent(change, failedText));
}

function toUnsent(change: BasketChange, failedText: string = FAILED_TEXTS[change.intent]): Unsent {
  return { change, key: crypto.randomUUID(), failedText, at: Date.now() };
}

/** Sends, once a page, what an earlier page of this tab did not get to send. */
export function resume(router: Router, viewerId: string): void {
  if (keptFor === viewerId && !hasLeft) return;
  [keptFor, hasLeft] = [viewerId, false];
  unsent = new Map(readKept());
  for (const [target, kept] of unsent) void work(router, target, kept);
}

onForget(() => {
  keptFor = undefined;
  unsent = new Map();
});

function readKept(): (readonly [string, Unsent])[] {
  const kept = readPrivate("tab", KEPT);
  return Array.isArray(kept) ? (kept as [string, Unsent][]).filter(([, { at }]) => Date.now() - at < KEPT_MS) : [];
}

function keep(target: string, kept: Unsent | null): void {
  if (kept) unsent.set(target, kept);
  else unsent.delete(target);
  if (keptFor) writePrivate("tab", KEPT, unsent.size > 0 ? [...unsent] : null);
}

async function work(router: Router, target: string, first: Unsent): Promise<void> {
  underWay.add(target);
  try {
    for (let next: Unsent | null = first; next;) {
      const { change, failedText }: Unsent = next;
      setPending(target, change);
      keep(target, next);
      const answer = await sendOne(router, target, next);
      if (answer === "left") {
        // Whoever logs in again finds it done: `resume` reads what is kept once more.
        hasLeft = true;
        return;
      }
      keep(target, null);
      const isLatest = () => pendingChange(target) === change;
      if (!answer) toast.error(failedText);
      else if (isLatest() || !answer.ok) toast[answer.kind](answer.message);
      if (answer?.ok) await reloadIfFailed(router.revalidate, isLatest);
      // From here to the end of the work nothing waits, so that no press comes between and is lost.
      const latest = pendingChange(target);
      next = latest && latest !== change ? toUnsent(latest) : null;
      // After a failure the screen shows again what the server holds.
      if (!answer && !next) void router.revalidate();
    }
  } finally {
    underWay.delete(target);
    setPending(target, null);
  }
}

/** Sends one change until it is answered, or too old; null without an answer. */
async function sendOne(router: Router, target: string, { change, key, at }: Unsent): Promise<Answered> {
  const fields = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, String(value)]));
  for (let attempt = 1; ; attempt += 1) {
    if (!navigator.onLine) {
      await connection();
      attempt = 1;
    }
    const expired = Date.now() - at > KEPT_MS;
    if (!expired) {
      await router.submit(
        { ...fields, key, page: pageId, returnTo: location.pathname + location.search },
        { method: "post", action: BASKET_ACTION, navigate: false, fetcherKey: `basket-${target}` },
      );
    }
    const answer = takeAnswer(target);
    if (answer || expired || (attempt >= TRIES && navigator.onLine)) return answer;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

/**
 * Resolves when the connection is back. Without one the router would reload the page, because it cannot fetch a route's
 * script.
 */
function connection(): Promise<unknown> {
  toast.info(OFFLINE_TEXT);
  return new Promise((done) => addEventListener("online", done, { once: true }));
}
