/**
 * The changes of the cart and wishlist that the server hasn't confirmed yet. They are kept outside React, because a
 * change continues when its button has left the screen. basket-sender.ts sends them.
 */
import { startTransition, useLayoutEffect, useState } from "react";
import { data } from "react-router";
import { type BasketAnswer, type BasketChange, targetOf } from "#app/basket/basket-rules.ts";
import { createStore } from "#app/platform/store.ts";

/** The changes that are shown as done, by target, oldest first. */
export type PendingChanges = ReadonlyMap<string, BasketChange>;

/** The route that takes the changes: the root, the one route that is loaded on every screen (root.tsx). */
export const BASKET_ACTION = "/";

/** Identifies this page to the server, so that the live connection doesn't report the page's own changes to it. */
export const pageId = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** "left": the request led to another screen, because the session is over. Null: no readable answer arrived. */
export type Answered = BasketAnswer | "left" | null;

/** `done`: the latest step was the end of a change. */
const pending = createStore<{ changes: PendingChanges; done: boolean }>({ changes: new Map(), done: false });
const answers = new Map<string, Answered>();

/** Shows a change as made. Null: no change is in progress. */
export function setPending(target: string, change: BasketChange | null): void {
  const changes = new Map(pending.get().changes);
  changes.delete(target);
  if (change) changes.set(target, change);
  pending.set({ changes, done: change === null });
}

export function usePendingChanges(): PendingChanges {
  const [shown, setShown] = useState(() => pending.get().changes);
  // Before the effects of what is inside, because one of them may already make a change.
  useLayoutEffect(
    () =>
      pending.subscribe(({ changes, done }) => {
        // The router shows new data in a transition. A finished change must be dropped in the same one, or the old
        // state flashes up.
        if (done) startTransition(() => setShown(changes));
        else setShown(changes);
      }),
    [],
  );
  return shown;
}

export function pendingChange(target: string): BasketChange | undefined {
  return pending.get().changes.get(target);
}

/** Waits for the next result for a target. */
export function takeAnswer(target: string): Answered {
  const answer = answers.get(target) ?? null;
  answers.delete(target);
  return answer;
}

interface ClientAction {
  request: Request;
  serverAction(): Promise<BasketAnswer>;
}

/** The client part of the action. A lost answer is a value rather than an error page, and the screen's data stays. */
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
    const left = error instanceof Response;
    answers.set(target, left ? "left" : null);
    if (left) throw error;
    return data(null, { status: 503 });
  }
}
