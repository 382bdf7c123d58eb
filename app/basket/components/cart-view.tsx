import { useEffect } from "react";
import { Form, Link, useFetcher } from "react-router";
import type { CartLine } from "#app/basket/cart.server.ts";
import { type CartTotals, cartTotals, QUANTITY_MAX_WARNING } from "#app/basket/rules.ts";
import { imageSources } from "#app/catalogue/image-sources.ts";
import { IconButton, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/callout.tsx";
import { formatKes, formatTotal } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Photo } from "#app/ui/photo.tsx";
import { QuantityStepper } from "#app/ui/quantity-stepper.tsx";
import { EmptyState } from "#app/ui/state.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { toast } from "#app/ui/toast.ts";

interface CartResult {
  ok: boolean;
  message: string;
}

interface CartViewProps {
  lines: CartLine[];
  totals: CartTotals;
  /** The same lines always carry the same key: a double click orders once. */
  orderKey: string;
  result: CartResult | null;
}

/** The cart: its lines, its total, and the way to checkout. */
export function CartView({ lines, totals, orderKey, result }: CartViewProps) {
  if (lines.length === 0) {
    return (
      <div className="page">
        <EmptyState
          level={1}
          icon="shopping-cart"
          title="Your Cart is Empty"
          sentence="Find something you like and put it in."
          action={<LinkButton to="/studentmarketplace">Continue Shopping</LinkButton>}
        />
      </div>
    );
  }
  const gone = lines.some((line) => !line.available);
  return (
    <div className="page">
      <PageHeader title="Cart" lead={`${totals.items} ${totals.items === 1 ? "item" : "items"}, ${totals.quantity} in all`} />
      {result && !result.ok && (
        <Callout tone="red" role="alert">
          {result.message}
        </Callout>
      )}
      <div className="split">
        <ul className="cart">
          {lines.map((line) => (
            <CartRow key={line.id} line={line} />
          ))}
        </ul>
        <aside className="card stack">
          <h2>Summary</h2>
          <SummaryRows
            rows={[
              { label: `Items (${totals.items})`, value: `${totals.quantity} in all` },
              { label: "Subtotal", value: formatTotal(totals.total) },
              { label: "Delivery", value: "Free" },
              { label: "Total", value: formatTotal(totals.total), total: true },
            ]}
          />
          <Form method="post" className="stack stack--tight sticky-bar">
            <input type="hidden" name="orderKey" value={orderKey} />
            <input type="hidden" name="total" value={totals.total} />
            <SubmitButton name="intent" value="checkout" busyLabel="One moment..." disabled={gone}>
              Proceed to Checkout
            </SubmitButton>
          </Form>
          {gone && <p className="quiet">Remove what is not available any more to go on.</p>}
          <LinkButton to="/studentmarketplace" variant="ghost" tone="gray">
            Continue Shopping
          </LinkButton>
        </aside>
      </div>
    </div>
  );
}

function CartRow({ line }: { line: CartLine }) {
  const fetcher = useFetcher<CartResult>();
  useEffect(() => {
    if (!fetcher.data) return;
    if (fetcher.data.ok) toast.success(fetcher.data.message);
    else toast.error(fetcher.data.message);
  }, [fetcher.data]);

  // What was asked for shows at once; the server's answer follows.
  const asked = fetcher.formData;
  if (asked?.get("intent") === "remove") return null;
  const quantity = asked?.get("intent") === "set-quantity" ? Number(asked.get("quantity")) : line.quantity;
  const changed = line.priceWhenAdded !== line.price && line.priceWhenAdded > 0;

  function setQuantity(next: number) {
    void fetcher.submit({ intent: "set-quantity", productId: line.productId, quantity: next }, { method: "post" });
  }
  return (
    <li className="cart__line">
      <Link className="cart__photo" to={`/product/${line.productId}`} tabIndex={-1} aria-hidden="true">
        <Photo {...imageSources(line.image, "96px")} alt="" fill />
      </Link>
      <div className="cart__words">
        <h2 className="cart__name">
          <Link to={`/product/${line.productId}`}>{line.name}</Link>
        </h2>
        <p className="quiet">
          {formatKes(line.price)} each
          {changed && ` (was ${formatKes(line.priceWhenAdded)} when you added it)`}
        </p>
        {!line.available && <p className="cart__gone">Not Available</p>}
      </div>
      <div className="cart__actions">
        <QuantityStepper label={`Quantity of ${line.name}`} value={quantity} onChange={setQuantity} onTooMany={() => toast.warning(QUANTITY_MAX_WARNING)} disabled={!line.available} />
        <strong className="cart__sum">{formatKes(cartTotals([{ ...line, quantity, available: true }]).total)}</strong>
        <fetcher.Form method="post">
          <input type="hidden" name="productId" value={line.productId} />
          <input type="hidden" name="name" value={line.name} />
          <IconButton type="submit" name="intent" value="remove" icon="trash-2" label={`Remove ${line.name}`} />
        </fetcher.Form>
      </div>
    </li>
  );
}
