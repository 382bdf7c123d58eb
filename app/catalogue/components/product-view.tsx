import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { imageSources } from "#app/catalogue/image-sources.ts";
import type { ProductDetail } from "#app/catalogue/products.server.ts";
import { categoryPath, CONDITION_LABELS, STATUS_LABELS } from "#app/catalogue/rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Photo } from "#app/ui/photo.tsx";
import { Price } from "#app/ui/price.tsx";

interface ProductViewProps {
  product: ProductDetail;
  /** At the photo's corner. */
  corner?: ReactNode;
  /** The way to buy it. */
  children: ReactNode;
}

/** A product with its photo, its story and its seller. */
export function ProductView({ product, corner, children }: ProductViewProps) {
  const navigate = useNavigate();
  return (
    <article className="page product">
      <div>
        <Button variant="ghost" tone="gray" icon="arrow-left" onClick={() => void navigate(-1)}>
          Back
        </Button>
      </div>
      <div className="split">
        <div className="product__photo">
          <Photo {...imageSources(product.image, "(max-width: 768px) 100vw, 600px")} alt={product.name} priority />
          {corner && <div className="product__corner">{corner}</div>}
        </div>
        <div className="stack">
          <header className="stack stack--tight">
            <div className="row">
              <Price amount={product.price} original={product.originalPrice} large />
              {product.status !== "active" && <StatusBadge tone={product.status === "sold" ? "red" : "orange"}>{STATUS_LABELS[product.status]}</StatusBadge>}
            </div>
            <h1>{product.name}</h1>
            <div className="row">
              <Chip>{CONDITION_LABELS[product.condition]}</Chip>
              {product.categoryKey ? (
                <Link className="chip chip--quiet" to={categoryPath(product.categoryKey)}>
                  {product.category}
                </Link>
              ) : (
                <Chip>{product.category}</Chip>
              )}
              <Chip>{product.location}</Chip>
            </div>
          </header>
          <p className="product__description">{product.description || "No description available"}</p>
          <SellerBox seller={product.seller} />
          {children}
        </div>
      </div>
    </article>
  );
}

function SellerBox({ seller }: { seller: ProductDetail["seller"] }) {
  return (
    <section className="card row" aria-label="Seller">
      <Icon name="store" size="large" />
      <div>
        <p className="product__seller">{seller.name || "Anonymous Seller"}</p>
        <p className="quiet">{seller.campusLocation || "Location not specified"}</p>
      </div>
    </section>
  );
}
