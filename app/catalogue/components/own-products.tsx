import { imageSources } from "#app/catalogue/image-sources.ts";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import { CONDITION_LABELS, type ProductStatus, STATUS_LABELS } from "#app/catalogue/rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Photo } from "#app/ui/photo.tsx";
import { Price } from "#app/ui/price.tsx";
import { PhotoCard, photoShape, ProductGrid } from "#app/ui/product-grid.tsx";

const TONES = { active: "green", sold: "red", out_of_stock: "orange" } as const satisfies Record<ProductStatus, string>;

/** A seller's own listings; each says whether it can be bought. */
export function OwnProducts({ products }: { products: readonly ProductSummary[] }) {
  return (
    <ProductGrid label="Your listings">
      {products.map((product) => (
        <PhotoCard
          key={product.id}
          to={`/product/${product.id}`}
          name={product.name}
          shape={photoShape(product.image?.width, product.image?.height)}
          photo={<Photo {...imageSources(product.image, "(max-width: 768px) 44vw, (max-width: 1280px) 30vw, 280px")} alt="" fill />}
          price={<Price amount={product.price} original={product.originalPrice} />}
          facts={[CONDITION_LABELS[product.condition], product.location]}
          badge={<StatusBadge tone={TONES[product.status]}>{STATUS_LABELS[product.status]}</StatusBadge>}
        />
      ))}
    </ProductGrid>
  );
}
