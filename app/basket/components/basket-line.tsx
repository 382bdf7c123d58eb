import { Link } from "react-router";
import type { ReactNode } from "react";
import { type Block, productBlockedText } from "#app/accounts/trust/block-rules.ts";
import type { StockShown } from "#app/basket/stock-shown.server.ts";
import { leftText, SOLD_OUT } from "#app/catalogue/selling/listing-stock-rules.ts";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";

interface BasketLineProps {
  product: {
    productId: string;
    name: string;
    image: ProductImage | null;
    available: boolean;
    listed: boolean;
    block?: Block | null;
    sellerName?: string | null;
  } & StockShown;
  /** Below the name: the price, and whether it has changed. */
  facts: ReactNode;
  actions: ReactNode;
}

/** A product in the cart or wishlist: photo, name, facts and buttons. A deleted product has no page to link to. */
export function BasketLine({ product, facts, actions }: BasketLineProps) {
  const page = `/product/${product.productId}`;
  const photo = <Photo {...imageSources(product.image, "96px")} alt="" fill />;
  return (
    <li className="cart__line" data-gone={!product.available || undefined}>
      {product.listed ? (
        <Link className="cart__photo" to={page} tabIndex={-1} aria-hidden="true">
          {photo}
        </Link>
      ) : (
        <div className="cart__photo">{photo}</div>
      )}
      <div className="cart__words">
        <h2 className="cart__name">{product.listed ? <Link to={page}>{product.name}</Link> : product.name}</h2>
        {facts}
        {product.available && product.left && <p className="cart__left">{leftText(product.left)}</p>}
        {!product.available && (
          <p className="cart__gone">
            {product.block
              ? productBlockedText({ seller: product.sellerName || "the seller", block: product.block })
              : product.soldOut
                ? SOLD_OUT
                : "Not Available"}
          </p>
        )}
      </div>
      <div className="cart__actions">{actions}</div>
    </li>
  );
}
