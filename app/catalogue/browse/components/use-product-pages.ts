import { useEffect, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { recallPages, rememberPages } from "#app/catalogue/browse/remembered-pages.ts";
import { type FailedPage, isFailedPage } from "#app/ui/browser/failed-page.ts";

interface ProductPages {
  products: ProductPage["products"];
  /** The address of the next page, for a link that works without scripts; null at the end. */
  moreHref: string | null;
  state: "idle" | "loading" | "failed";
  loadMore: () => void;
}

/** The list that starts with the page `first` at the address `path` (with its query), and grows page by page. */
export function useProductPages(first: ProductPage, path: string): ProductPages {
  const { key } = useLocation();
  const fetcher = useFetcher<ProductPage | FailedPage>({ key: `more of ${path}` });
  const [list, setList] = useState(() => ({ key, path, first, pages: recallPages(key, first) }));
  let { pages } = list;

  if (list.key !== key || list.path !== path || list.first !== first) {
    pages = nextPages(list, { key, path, first });
    setList({ key, path, first, pages });
  }
  const next = pages.at(-1)?.next ?? null;
  const answer = fetcher.data;
  const failed = isFailedPage(answer);
  if (answer !== undefined && !failed && answer.after !== null && answer.after === next) {
    pages = [...recallPages(key, first), answer];
    setList({ key, path, first, pages });
  }

  useEffect(() => rememberPages(key, pages), [key, pages]);

  const moreHref = next && `${path}${path.includes("?") ? "&" : "?"}after=${next}`;
  const { load, state } = fetcher;
  return {
    products: distinct(pages.flatMap(({ products }) => products)),
    moreHref,
    state: state !== "idle" ? "loading" : failed ? "failed" : "idle",
    loadMore: () => {
      if (moreHref && state === "idle") void load(moreHref);
    },
  };
}

interface List {
  key: string;
  path: string;
  first: ProductPage;
}

/** The list after the history entry, the address or the first page has changed. */
function nextPages(list: List & { pages: ProductPage[] }, { key, path, first }: List): ProductPage[] {
  if (list.key !== key) {
    // A jump within the page changes only the history entry.
    return list.path === path && list.first === first ? list.pages : recallPages(key, first);
  }
  // What is remembered also has what the owner has changed in this list.
  return list.path === path ? recallPages(key, first) : [first];
}

/** A product that was listed while the reader scrolled must not appear twice. */
function distinct(products: ProductPage["products"]): ProductPage["products"] {
  return [...new Map(products.map((product) => [product.id, product])).values()];
}
