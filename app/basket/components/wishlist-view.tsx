import "./basket.css";
import { useState } from "react";
import { wishlistAfter } from "#app/basket/list-rules.ts";
import type { BasketChange } from "#app/basket/basket-rules.ts";
import type { WishlistItem } from "#app/basket/find-wishlist.server.ts";
import { Button, IconButton, LinkButton } from "#app/ui/button.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Price } from "#app/ui/price.tsx";
import { QuantityStepper } from "#app/ui/forms/quantity-stepper.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { ClearBasket } from "./clear-basket.tsx";
import { BasketForm } from "./basket-form.tsx";
import { BasketLine } from "./basket-line.tsx";
import { useBasket } from "./basket-provider.tsx";

/** The wishlist's screen. Each product can be moved to the cart in a quantity, or removed. */
export function WishlistView({ items: saved }: { items: WishlistItem[] }) {
  const items = useWishes(saved);
  if (items.length === 0) {
    return (
      <div className="page">
        <NoWishes level={1} />
      </div>
    );
  }
  return (
    <div className="page wishlist-page basket">
      <PageHeader
        title="Wishlist"
        lead={`${items.length} ${items.length === 1 ? "item" : "items"}`}
        actions={<ClearBasket list="wishlist" />}
      />
      <WishlistRows items={items} />
      <div className="row wishlist__ways">
        <LinkButton to="/cart" variant="soft" icon="shopping-cart">
          View Cart
        </LinkButton>
        <LinkButton to="/studentmarketplace" variant="ghost">
          Continue Shopping
        </LinkButton>
      </div>
    </div>
  );
}

/** The wishlist as part of another screen. */
export function WishlistSection({ items: saved }: { items: WishlistItem[] }) {
  const items = useWishes(saved);
  if (items.length === 0) return <NoWishes level={2} />;
  return (
    <section className="basket wishlist stack" aria-labelledby="wishlist">
      <h2 id="wishlist" className="visually-hidden">
        Wishlist
      </h2>
      <WishlistRows items={items} />
      <ClearBasket list="wishlist" />
    </section>
  );
}

/** The saved items, with changes that the server hasn't confirmed yet. */
function useWishes(saved: WishlistItem[]): WishlistItem[] {
  return wishlistAfter(saved, useBasket()?.pending.values() ?? []);
}

function WishlistRows({ items }: { items: WishlistItem[] }) {
  return (
    <ul className="cart" role="list">
      {items.map((item) => (
        <WishlistRow key={item.id} item={item} />
      ))}
    </ul>
  );
}

function NoWishes({ level }: { level: 1 | 2 }) {
  return (
    <EmptyState
      level={level}
      icon="heart"
      title="Your Wishlist is Empty"
      sentence="Tap the heart on anything you like to save it here."
      action={
        <>
          <LinkButton to="/studentmarketplace">Start Shopping</LinkButton>
          <LinkButton to="/cart" variant="soft">
            View Cart
          </LinkButton>
        </>
      }
    />
  );
}

function WishlistRow({ item }: { item: WishlistItem }) {
  const [quantity, setQuantity] = useState(1);
  const { productId, name, price } = item;
  const moving = { intent: "move-to-cart", productId, quantity, price } as const satisfies BasketChange;
  return (
    <BasketLine
      product={item}
      facts={
        <>
          <Price amount={item.price} original={item.originalPrice} />
          <p className="quiet">
            {[item.location, item.maxQuantity === 1 && "the seller has one"].filter(Boolean).join(", ")}
          </p>
        </>
      }
      actions={
        <>
          {item.available && (
            <BasketForm change={moving} className="row">
              <QuantityStepper
                label={`Quantity of ${name}`}
                maximum={item.maxQuantity === 1 ? 1 : Infinity}
                value={quantity}
                onChange={setQuantity}
              />
              <Button type="submit" variant="soft" aria-label={`Move to Cart: ${name}`}>
                Move to Cart
              </Button>
            </BasketForm>
          )}
          <BasketForm
            change={{ intent: "remove-from-wishlist", productId }}
            failedText="Failed to remove item"
            className="cart__push"
          >
            <IconButton type="submit" icon="trash-2" variant="ghost" label={`Remove ${name}`} />
          </BasketForm>
        </>
      }
    />
  );
}
