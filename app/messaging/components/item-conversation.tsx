import { type ComponentType, Suspense } from "react";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";
import type { ItemMessagesProps } from "./item-messages.tsx";

/** The result of a form about one item. */
export interface ItemResult extends ActionResult {
  itemId: string;
}

/**
 * A third of an order's own script. Browsers ask for it with the screen's, and the rest of the screen doesn't wait for
 * it.
 */
const loading = import("./item-messages.tsx");
// The part itself says so where it is missing.
loading.catch(() => undefined);
const ItemMessages: ComponentType<ItemMessagesProps> = import.meta.env.SSR
  ? (await loading).ItemMessages
  : lazyPart(async () => (await loading).ItemMessages);

/** The messages between buyer and seller about an item, on the page of the order or the sale. */
export function ItemConversation(props: ItemMessagesProps) {
  return (
    <Suspense fallback={<Skeleton shape="text" />}>
      <ItemMessages {...props} />
    </Suspense>
  );
}
