/**
 * What this page has asked of cart and wishlist and the server has not answered yet. It stands outside React, because a change
 * goes on when its button has left the screen. Requests about the same thing never overtake each other: one is on its way, the
 * last wish waits, and wishes in between are dropped.
 */
import { startTransition, useEffect, useState } from "react";
import { data, type SubmitFunction } from "react-router";
import { type BasketAnswer, type BasketChange, FAILED_TEXTS, targetOf } from "#app/basket/rules.ts";
import { toast } from "#app/ui/toast.ts";

/** The changes to be shown as done, by target, oldest first. */
export type PendingChanges = ReadonlyMap<string, BasketChange>;

/** Where changes are sent: the one route that is loaded on every screen (root.tsx). */
export const BASKET_ACTION = "/";

/** Names this page to the server, so that the live channel need not tell it of its own changes. */
export const pageId = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Null: no answer came, or none that could be read. */
type Answered = BasketAnswer | null;

let pending: PendingChanges = new Map();
const underWay = new Set<string>();
const answers = new Map<string, Answered>();
const listeners = new Set<(done: boolean) => void>();

function setPending(target: string, change: BasketChange | null): void {
  const next = new Map(pending);
  next.delete(target);
  if (change) next.set(target, change);
  pending = next;
  for (const listener of listeners) listener(change === null);
}

export function usePendingChanges(): PendingChanges {
  const [shown, setShown] = useState(pending);
  useEffect(() => {
    function show(done: boolean) {
      // The router shows new data in a transition: what is done has to go in the same breath, or the old state flashes up.
      if (done) startTransition(() => setShown(pending));
      else setShown(pending);
    }
    listeners.add(show);
    return () => void listeners.delete(show);
  }, []);
  return shown;
}

interface Router {
  submit: SubmitFunction;
  revalidate(): Promise<void>;
}

/** Pressing these again while one is under way asks for nothing new; of the others the last wish counts. */
const ONCE: ReadonlySet<BasketChange["intent"]> = new Set(["add-to-cart", "move-to-cart", "move-to-wishlist"]);

/** Makes a change: shown at once, sent in order, taken back with `failedText` where the server cannot be reached or fails. */
export async function sendChange(
  router: Router,
  change: BasketChange,
  failedText: string = FAILED_TEXTS[change.intent],
): Promise<void> {
  const target = targetOf(change);
  if (underWay.has(target)) {
    if (!ONCE.has(change.intent)) setPending(target, change);
    return;
  }
  setPending(target, change);
  underWay.add(target);
  try {
    for (let latest: BasketChange | null = change; latest;) latest = await sendOne(router, target, latest, failedText);
  } finally {
    underWay.delete(target);
    setPending(target, null);
  }
}

/** Sends one change, says how it went, and answers with the wish that came up meanwhile. */
async function sendOne(
  router: Router,
  target: string,
  change: BasketChange,
  failedText: string,
): Promise<BasketChange | null> {
  const fields = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, String(value)]));
  await router.submit(
    { ...fields, page: pageId },
    { method: "post", action: BASKET_ACTION, navigate: false, fetcherKey: `basket-${target}` },
  );
  const answer = answers.get(target);
  answers.delete(target);
  // The session is over, and the router on its way to the sign-in page.
  if (answer === undefined) return null;

  const waiting = pending.get(target);
  const next = waiting && waiting !== change ? waiting : null;
  if (answer === null) toast.error(failedText);
  else if (!next || !answer.ok) toast[answer.kind](answer.message);
  // The server's word is the truth.
  if (answer === null && !next) void router.revalidate();
  return next;
}

interface ClientAction {
  request: Request;
  serverAction(): Promise<BasketAnswer>;
}

/** The action's part in the browser: a lost answer is a value, not an error page, and leaves the screen's data alone. */
export async function passToServer({ request, serverAction }: ClientAction) {
  const fields = await request.clone().formData();
  const target = targetOf({
    intent: fields.get("intent") as BasketChange["intent"],
    productId: fields.get("productId")?.toString(),
  });
  try {
    const answer = await serverAction();
    answers.set(target, answer);
    return answer;
  } catch (error) {
    if (error instanceof Response) throw error;
    answers.set(target, null);
    return data(null, { status: 503 });
  }
}
