import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { useRevalidator, useSubmit } from "react-router";
import { type BasketChange, type BasketContents, contentsAfter, targetOf } from "#app/basket/basket-rules.ts";
import { inOwnTask } from "#app/ui/browser/own-task.ts";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";
import { type PendingChanges, pendingChange, setPending, usePendingChanges } from "./basket-changes.ts";

export interface Basket extends BasketContents {
  viewerId: string;
  /** Already counted in `cart` and `wishlist`. Lists apply them themselves. */
  pending: PendingChanges;
  /** Makes a change. It shows at once; a toast tells the result. `failedText` replaces the usual error message. */
  change: (change: BasketChange, failedText?: string) => void;
}

type Sender = typeof import("./basket-sender.ts");

let sender: Promise<Sender> | null = null;

/**
 * One promise for all presses, so that they are sent in their order: a browser may answer several imports of one file
 * in any.
 */
function loadSender(): Promise<Sender> {
  sender ??= import("./basket-sender.ts").catch((error: unknown) => {
    sender = null;
    throw error;
  });
  return sender;
}

export const BasketContext = createContext<Basket | null>(null);

interface BasketProviderProps {
  viewerId: string;
  /** The ids of products in both, as the server last reported them. */
  saved: { cart: readonly string[]; wishlist: readonly string[] };
  children: ReactNode;
}

/**
 * Provides the cart and wishlist to every heart, button and badge below, including changes that aren't confirmed yet.
 */
export function BasketProvider({ viewerId, saved, children }: BasketProviderProps) {
  const submit = useSubmit();
  const { revalidate } = useRevalidator();
  const pending = usePendingChanges();
  useEffect(
    () =>
      inOwnTask(() => {
        void loadSender().then(
          ({ resume }) => resume({ submit, revalidate }, viewerId),
          () => undefined,
        );
      }),
    [viewerId, submit, revalidate],
  );
  const basket = useMemo(
    () => ({
      viewerId,
      ...contentsAfter(saved, pending.values()),
      pending,
      change: (change: BasketChange, failedText?: string) => {
        const target = targetOf(change);
        // It counts from the press on, also while the sender is still loading.
        if (!pendingChange(target)) setPending(target, change);
        void loadSender().then(
          ({ resume, send }) => {
            // `resume` must run first, also when a button is pressed before the effect above. From then on a change is
            // kept.
            resume({ submit, revalidate }, viewerId);
            send({ submit, revalidate }, change, failedText);
          },
          () => {
            setPending(target, null);
            sayPartMissing(failedText ?? "An error occurred");
          },
        );
      },
    }),
    [viewerId, saved, pending, submit, revalidate],
  );
  return <BasketContext value={basket}>{children}</BasketContext>;
}

/** Null for a visitor. */
export function useBasket(): Basket | null {
  return useContext(BasketContext);
}
