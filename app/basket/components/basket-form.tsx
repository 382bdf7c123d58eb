import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { BasketChange } from "#app/basket/rules.ts";
import { toast } from "#app/ui/toast.ts";
import { BASKET_ACTION } from "./basket-changes.ts";
import { useBasket } from "./basket-provider.tsx";

interface BasketFormProps {
  change: BasketChange;
  /** Said where the change fails, instead of its usual words. */
  failedText?: string;
  /** Said to a visitor, who has neither cart nor wishlist. */
  visitorText?: string;
  /** Instead of making the change at once. */
  onPress?: () => void;
  className?: string;
  /** The submit button, and fields that go with the change. */
  children: ReactNode;
}

/** A button that changes cart or wishlist: optimistic with scripts, and a plain form that comes back to this page without. */
export function BasketForm({ change, failedText, visitorText, onPress, className, children }: BasketFormProps) {
  const basket = useBasket();
  const { pathname, search } = useLocation();
  return (
    <form
      method="post"
      action={BASKET_ACTION}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (!basket) return visitorText && toast.error(visitorText);
        if (onPress) return onPress();
        basket.change(change, failedText);
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
