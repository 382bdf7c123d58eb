import { changeWords } from "#app/catalogue/change-words.ts";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

/**
 * Tells a buyer before paying what sellers have changed since the order was placed. The order stays as it was placed,
 * so nothing has to be accepted.
 */
export function ChangesBeforePaying({ items }: Pick<BuyerOrder, "items">) {
  const changed = items.flatMap(({ id, productId, name, ordered }) =>
    ordered && ordered.changes.length > 0 ? [{ id, productId, name, changes: ordered.changes }] : [],
  );
  if (changed.length === 0) return null;
  return (
    <Callout tone="orange" icon="info" title="Changed since you ordered">
      {changed.map(({ id, productId, name, changes }) => (
        <span key={id} className="ordered__changed">
          <TextLink to={`/product/${productId}`}>{name}</TextLink>: {changes.map(changeWords).join("; ")}.
        </span>
      ))}
      <span className="ordered__changed">
        If you pay, what you ordered counts. Ask the seller first if they still have it so.
      </span>
    </Callout>
  );
}
