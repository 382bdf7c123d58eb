import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { BasketChange } from "#app/basket/basket-rules.ts";
import { BASKET_ACTION } from "./basket-changes.ts";
import { useBasket } from "./basket-provider.tsx";

interface BasketFormProps {
  change: BasketChange;
  /** The error message, if it differs from the usual one. */
  failedText?: string;
  /** Called instead of making the change at once. */
  onPress?: () => void;
  className?: string;
  /** The submit button and the fields of the change. */
  children: ReactNode;
}

/**
 * A button that changes the cart or the wishlist. With scripts the change shows at once; without, it is a plain form
 * that returns to this page.
 */
export function BasketForm({ change, failedText, onPress, className, children }: BasketFormProps) {
  const basket = useBasket();
  const { pathname, search } = useLocation();
  return (
    <form
      method="post"
      action={BASKET_ACTION}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (onPress) return onPress();
        basket?.change(change, failedText);
      }}
    >
      <input type="hidden" name="from" value={pathname + search} />
      {Object.entries(change).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
