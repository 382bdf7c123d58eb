import { type ComponentType, Suspense } from "react";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";
import type { ItemMessagesProps } from "./item-messages.tsx";

/** The result of a form about one item. */
export interface ItemResult extends ActionResult {
  itemId: string;
}

/** A third of an order's own script, and below its next step: the rest of the page doesn't wait for it. */
const ItemMessages: ComponentType<ItemMessagesProps> = import.meta.env.SSR
  ? (await import("./item-messages.tsx")).ItemMessages
  : lazyPart(async () => (await import("./item-messages.tsx")).ItemMessages);

/** The messages between buyer and seller about an item, on the page of the order or the sale. */
export function ItemConversation(props: ItemMessagesProps) {
  return (
    <Suspense fallback={<Skeleton shape="text" />}>
      <ItemMessages {...props} />
    </Suspense>
  );
}
