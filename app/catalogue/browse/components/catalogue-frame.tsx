import "./catalogue.css";
import { Link } from "react-router";
import type { ReactNode } from "react";
import type { Category } from "#app/catalogue/browse/browse.server.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { ChipLink } from "#app/ui/chip.tsx";
import { SearchBox } from "#app/catalogue/search/components/search-box.tsx";

const ALL_PRODUCTS = "/studentmarketplace";

interface CatalogueFrameProps {
  /** The search text. */
  text?: string;
  children: ReactNode;
}

/**
 * A screen of products: the search box above its content. It stands outside what waits for data, so that the box keeps
 * words and focus when the list comes.
 */
export function CatalogueFrame({ text = "", children }: CatalogueFrameProps) {
  return (
    <div className="page catalogue">
      <SearchBox text={text} />
      {children}
    </div>
  );
}

interface CatalogueContentProps {
  title: ReactNode;
  /** Null while they are loading. */
  categories: readonly Category[] | null;
  children: ReactNode;
}

/**
 * The content of a screen of products: its title, categories next to it or, on phones, as chips above it, and the
 * products.
 */
export function CatalogueContent({ title, categories, children }: CatalogueContentProps) {
  return (
    <>
      <div className="catalogue__title">{title}</div>
      <nav className="categories" aria-label="Categories">
        <ul className="chip-row categories__list" role="list" data-tour="categories">
          <li>
            <ChipLink to={ALL_PRODUCTS}>All Products</ChipLink>
          </li>
          {categories?.map(({ id, name }, index) => (
            <li key={id}>
              <Link className="chip" to={categoryPath(id)} discover={index === 0 ? "render" : "none"}>
                {name}
              </Link>
            </li>
          )) ?? PLACEHOLDERS.map((index) => <li key={index} className="skeleton chip-skeleton" />)}
          <li>
            <Link className="chip" to="/category">
              All categories
            </Link>
          </li>
        </ul>
      </nav>
      <div className="catalogue__main">{children}</div>
    </>
  );
}

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5];
