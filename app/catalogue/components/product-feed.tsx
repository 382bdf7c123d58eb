import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import type { ProductSummary } from "#app/catalogue/products.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { LiveRegion } from "#app/ui/live-region.tsx";
import { ProductGrid } from "#app/ui/product-grid.tsx";
import { type CardParts, ProductCard } from "./product-card.tsx";

export interface FeedData {
  products: ProductSummary[];
  /** The next page's cursor; null at the end. */
  next: string | null;
}

interface ProductFeedProps {
  label: string;
  first: FeedData;
  path: string;
  /** What the screen adds to each card. */
  cardParts?: (product: ProductSummary) => CardParts;
}

/** Cards that are in sight before anyone scrolls. */
const IN_SIGHT = 4;

/** A grid that grows: the next page is fetched as its end comes into sight, or by the button, which also works without scripts. */
export function ProductFeed({ label, first, path, cardParts }: ProductFeedProps) {
  const fetcher = useFetcher<FeedData>();
  const [more, setMore] = useState<FeedData[]>([]);
  const [seenFirst, setSeenFirst] = useState(first);
  const [seenPage, setSeenPage] = useState(fetcher.data);
  if (seenFirst !== first && seenFirst.products[0]?.id !== first.products[0]?.id) {
    // Another list: what was fetched after the old one no longer follows.
    setSeenFirst(first);
    setMore([]);
  }
  if (fetcher.data && fetcher.data !== seenPage) {
    setSeenPage(fetcher.data);
    setMore([...more, fetcher.data]);
  }

  const pages = [first, ...more];
  const next = pages.at(-1)?.next ?? null;
  const href = next && `${path}?after=${next}`;
  const idle = fetcher.state === "idle";
  const endRef = useRef<HTMLDivElement>(null);
  const { load } = fetcher;

  useEffect(() => {
    const element = endRef.current;
    if (!element || !href || !idle) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void load(href);
      },
      { rootMargin: "600px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [href, idle, load]);

  const products = distinct(pages.flatMap((page) => page.products));
  return (
    <>
      <ProductGrid label={label}>
        {products.map((product, index) => (
          <ProductCard key={product.id} product={product} priority={index < IN_SIGHT} {...cardParts?.(product)} />
        ))}
      </ProductGrid>
      <LiveRegion text={more.length > 0 ? `${products.length} products shown` : ""} />
      {href && (
        <div ref={endRef} className="feed-end">
          <LinkButton
            to={href}
            variant="soft"
            tone="gray"
            aria-busy={!idle}
            onClick={(event) => {
              event.preventDefault();
              if (idle) void load(href);
            }}
          >
            {idle ? "Show more" : "Loading..."}
          </LinkButton>
        </div>
      )}
    </>
  );
}

/** A product that was listed while the reader scrolled must not appear twice. */
function distinct(products: ProductSummary[]): ProductSummary[] {
  return [...new Map(products.map((product) => [product.id, product])).values()];
}
