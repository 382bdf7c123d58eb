import "./catalogue.css";
import { NavLink } from "react-router";
import type { ReactNode } from "react";
import type { Category } from "#app/catalogue/browse/browse.server.ts";
import { categoryPath, CHIP_COUNT } from "#app/catalogue/catalogue-rules.ts";
import { ChipLink, ChipRow } from "#app/ui/chip.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
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

/** The content of a screen of products: its title, categories next to it or above it, and the products. */
export function CatalogueContent({ title, categories, children }: CatalogueContentProps) {
  return (
    <>
      <div className="catalogue__title">{title}</div>
      <nav className="catalogue__side" aria-label="Categories">
        <ul className="side-list" role="list" data-tour="categories">
          <li>
            <NavLink className="side-list__link" to={ALL_PRODUCTS}>
              All Products
            </NavLink>
          </li>
          {categories?.map(({ id, name }, index) => (
            <li key={id}>
              <NavLink className="side-list__link" to={categoryPath(id)} discover={index === 0 ? "render" : "none"}>
                {name}
              </NavLink>
            </li>
          )) ?? PLACEHOLDERS.map((index) => <Skeleton key={index} shape="text" className="side-list__skeleton" />)}
        </ul>
      </nav>
      <div className="catalogue__chips" data-tour="categories">
        <ChipRow label="Categories">
          <ChipLink to={ALL_PRODUCTS}>All Products</ChipLink>
          {categories?.slice(0, CHIP_COUNT).map(({ id, name }) => (
            <ChipLink key={id} to={categoryPath(id)} discover="none">
              {name}
            </ChipLink>
          )) ?? PLACEHOLDERS.map((index) => <span key={index} className="skeleton chip-skeleton" />)}
          <ChipLink to="/category">All categories</ChipLink>
        </ChipRow>
      </div>
      <div className="catalogue__main">{children}</div>
    </>
  );
}

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5];
