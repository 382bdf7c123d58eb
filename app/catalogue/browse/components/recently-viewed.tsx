import "./recently-viewed.css";
import { useState } from "react";
import { Link } from "react-router";
import { readHistory, VIEWED_ON_HOME } from "#app/catalogue/browse/browsing-history.ts";
import type { ViewedNow } from "#app/catalogue/browse/viewed-products.server.ts";
import { STATUS_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { useJson } from "#app/ui/browser/use-json.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Price } from "#app/ui/price.tsx";

const TITLE = "Recently viewed";

/** What the viewer looked at last on this device, as it is now. Nothing where there is nothing. */
export function RecentlyViewed() {
  // Read after the page has loaded, because the server can't render what it doesn't know.
  return useScripted() ? <Viewed /> : null;
}

function Viewed() {
  const [ids] = useState(() =>
    readHistory()
      .slice(0, VIEWED_ON_HOME)
      .map(({ id }) => id),
  );
  const products = useProducts(ids);
  if ((products ?? ids).length === 0) return null;
  return (
    <section className="newest" aria-labelledby="recently-viewed">
      <div className="section-head">
        <h2 id="recently-viewed">{TITLE}</h2>
        <Link className="section-head__link" to="/profile?tab=history" aria-label="See all that you viewed">
          See All
          <Icon name="chevron-right" size="small" />
        </Link>
      </div>
      <ul className="viewed" role="list" aria-label={TITLE} aria-busy={products === null || undefined}>
        {products?.map((product) => (
          <li key={product.id}>
            <Card product={product} />
          </li>
        )) ??
          ids.map((id) => (
            <li key={id}>
              <Skeleton shape="photo" />
              <Skeleton shape="text" className="skeleton--short" />
              <Skeleton shape="text" />
            </li>
          ))}
      </ul>
    </section>
  );
}

function Card({ product: { id, name, image, price, status, stockLabel } }: { product: ViewedNow }) {
  return (
    <Link className="viewed__card" to={`/product/${id}`}>
      <span className="viewed__photo">
        <Photo {...imageSources(image, "140px")} alt="" fill />
      </span>
      <Price amount={price} />
      <span className="viewed__name">{name}</span>
      {(stockLabel || status !== "active") && (
        <span className="viewed__name quiet">{stockLabel || STATUS_LABELS[status]}</span>
      )}
    </Link>
  );
}

/** Null while they are loading. None where they can't be loaded, because the page is fine without them. */
function useProducts(ids: readonly string[]): ViewedNow[] | null {
  const query = new URLSearchParams(ids.map((id) => ["id", id]));
  const { data, isFailed } = useJson<ViewedNow[]>(ids.length === 0 ? null : `/home/viewed?${query}`);
  return data ?? (isFailed ? [] : null);
}
