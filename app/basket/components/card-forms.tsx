import { useLocation } from "react-router";
import { toast } from "#app/ui/feedback/toast.ts";
import { BASKET_ACTION } from "./basket-changes.ts";
import { useBasket } from "./basket-provider.tsx";

/** The change of each form without its product, and what visitors read instead. */
const FORMS = [
  [{ intent: "add-to-cart", quantity: 1 }, "Please login to add items to cart"],
  [{ intent: "add-to-wishlist" }, "Please login to add items to wishlist"],
  [{ intent: "remove-from-wishlist" }, "Please login to add items to wishlist"],
] as const;

/** The id of a form that the buttons of cards share: the intent of its change. */
export type CardForm = (typeof FORMS)[number][0]["intent"];

/**
 * The forms of all hearts and cart buttons of a page, which may have hundreds. A button names its form and brings the
 * product: `<button form="add-to-cart" name="productId" value="…" data-price="…">`. With scripts the change shows at
 * once; without, the server returns to this page.
 */
export function CardForms() {
  const basket = useBasket();
  const { pathname, search } = useLocation();
  return FORMS.map(([fields, visitorText]) => (
    <form
      key={fields.intent}
      id={fields.intent}
      method="post"
      action={BASKET_ACTION}
      hidden
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        if (!(submitter instanceof HTMLButtonElement)) return;
        const { price } = submitter.dataset;
        if (basket) basket.change({ ...fields, productId: submitter.value, ...(price && { price: Number(price) }) });
        else toast.error(visitorText);
      }}
    >
      <input type="hidden" name="from" value={pathname + search} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  ));
}
