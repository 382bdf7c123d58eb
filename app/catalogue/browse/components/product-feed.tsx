import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import type { ListedProduct, ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { useAnnounced } from "#app/ui/feedback/announce.ts";
import { ProductGrid } from "#app/ui/product-grid.tsx";
import { type CardParts, ProductCard } from "./product-card.tsx";
import { useProductPages } from "./use-product-pages.ts";

/** How many photos load before everything else that waits: the first row on a phone. */
const IN_SIGHT = 2;

interface ProductFeedProps {
  label: string;
  first: ProductPage;
  /** The list's address, with its query. */
  path: string;
  /** The pattern of what to highlight in names and excerpts (search-marks.ts). */
  mark?: string;
  /** What the screen adds to each card. */
  cardParts?: (product: ListedProduct) => CardParts;
  /** What to show when there are no products. */
  empty: ReactNode;
}

/**
 * A grid that grows. The next page loads when its end comes into view, or when the button is pressed, which works
 * without scripts, too. With Data saver only the button loads it. Going back shows everything that was loaded.
 */
export function ProductFeed({ label, first, path, mark, cardParts, empty }: ProductFeedProps) {
  const { products, moreHref, state, loadMore } = useProductPages(first, path);
  const saver = useDataSaver();
  const endRef = useRef<HTMLDivElement>(null);
  const reachEnd = useEffectEvent(loadMore);
  useAnnounced(shownText(products.length));

  useEffect(() => {
    const element = endRef.current;
    if (!element || !moreHref || saver || state !== "idle") return;
    const observer = new IntersectionObserver(
      // A busy page collects several changes, oldest first.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) reachEnd();
      },
      { rootMargin: "600px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [moreHref, saver, state]);

  if (products.length === 0 && !moreHref) return empty;
  return (
    <>
      <ProductGrid label={label}>
        {products.map((product, index) => (
          <ProductCard
            key={product.id}
            product={product}
            mark={mark}
            priority={index < IN_SIGHT}
            {...cardParts?.(product)}
          />
        ))}
      </ProductGrid>
      {moreHref && (
        <div ref={endRef} className="feed-end">
          {state === "failed" && <p role="alert">Failed to load products</p>}
          <LinkButton
            to={moreHref}
            variant="soft"
            aria-busy={state === "loading"}
            onClick={(event) => {
              event.preventDefault();
              loadMore();
            }}
          >
            {MORE_LABELS[state]}
          </LinkButton>
        </div>
      )}
    </>
  );
}

function shownText(count: number): string {
  if (count === 0) return "No products";
  return count === 1 ? "1 product shown" : `${count} products shown`;
}

const MORE_LABELS = { idle: "Show more", loading: "Loading...", failed: "Try Again" } as const;
