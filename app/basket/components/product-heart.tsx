import { useLocation } from "react-router";
import { BASKET_ACTION } from "./basket-changes.ts";
import { useBasket } from "./basket-provider.tsx";

/** The heart on a product's own page. Its form is its own, because `CardForms` comes with the cards of a list. */
export function ProductHeart({ product: { id, name } }: { product: { id: string; name: string } }) {
  const basket = useBasket();
  const { pathname } = useLocation();
  const wished = basket?.wishlist.has(id) ?? false;
  const change = { intent: wished ? "remove-from-wishlist" : "add-to-wishlist", productId: id } as const;
  return (
    <form
      method="post"
      action={BASKET_ACTION}
      onSubmit={(event) => {
        event.preventDefault();
        basket?.change(change);
      }}
    >
      <input type="hidden" name="from" value={pathname} />
      <input type="hidden" name="productId" value={id} />
      <button
        className="heart-button"
        aria-label={`Save ${name} to wishlist`}
        aria-pressed={wished}
        name="intent"
        value={change.intent}
      />
    </form>
  );
}
