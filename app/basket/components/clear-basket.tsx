import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { ConfirmTick } from "#app/ui/forms/confirm-tick.tsx";
import { ConfirmDialog } from "#app/ui/layers/dialog.tsx";
import { BasketForm } from "./basket-form.tsx";
import { useBasket } from "./basket-provider.tsx";

const TEXTS = {
  cart: {
    label: "Clear Cart",
    question: "Are you sure you want to remove all items from your cart? This action cannot be undone.",
  },
  wishlist: {
    label: "Clear Wishlist",
    question: "Are you sure you want to remove all items from your wishlist? This action cannot be undone.",
  },
};

/** Empties the cart or the wishlist, after asking. */
export function ClearBasket({ list }: { list: "cart" | "wishlist" }) {
  const [asking, setAsking] = useState(false);
  const basket = useBasket();
  const change = { intent: `clear-${list}` } as const;
  const { label, question } = TEXTS[list];
  return (
    <>
      <BasketForm change={change} onPress={() => setAsking(true)}>
        <ConfirmTick title={question} />
        <Button type="submit" variant="ghost" icon="trash-2">
          {label}
        </Button>
      </BasketForm>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={label}
        description={question}
        confirmLabel={label}
        destructive
        onConfirm={() => basket?.change(change)}
      />
    </>
  );
}
