import "./catalogue.css";
import { Link } from "react-router";
import { type ReactNode, Suspense } from "react";
import type { Category, ProductPage } from "#app/catalogue/browse/browse.server.ts";
import type { ListPlace } from "#app/catalogue/browse/list-filters.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { useMedia } from "#app/ui/browser/use-media.ts";
import { ChipLink } from "#app/ui/chip.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";

const ALL_PRODUCTS = "/studentmarketplace";

/** A screen of products. Where the bar at the top has no room for the search, its row shows (top-bar.css). */
export function CatalogueFrame({ children }: { children: ReactNode }) {
  return <div className="page catalogue has-search-row">{children}</div>;
}

type FilterRailProps = Parameters<typeof import("./filter-panel.tsx").FilterPanel>[0];

/** Below this width the filters are a sheet, and their script stays away. */
const WITH_RAIL = "(min-width: 1024px)";

const FilterPanel = lazyPart<FilterRailProps>(async () => (await import("./filter-panel.tsx")).FilterPanel);

/** The filters below the categories. */
function FilterRail(form: FilterRailProps) {
  const isWide = useMedia(WITH_RAIL, false);
  if (!isWide) return null;
  return (
    <div className="catalogue__filters">
      <Suspense>
        <FilterPanel {...form} prices={[]} />
      </Suspense>
    </div>
  );
}

/** What the form of the filters needs of a list's data. */
export function filtersOf(
  list: ListPlace,
  { products, filters, facts, unreadable }: Pick<FilterRailProps, "filters" | "facts" | "unreadable"> & ProductPage,
) {
  return { list, filters, facts, unreadable, prices: products.map(({ price }) => price) };
}

interface CatalogueContentProps {
  title: ReactNode;
  /** Null while they are loading. */
  categories: readonly Category[] | null;
  /** Null while they are loading. */
  filters: FilterRailProps | null;
  children: ReactNode;
}

/**
 * The content of a screen of products: its title, categories and filters next to it or, on phones, as chips and a
 * button above it, and the products.
 */
export function CatalogueContent({ title, categories, filters, children }: CatalogueContentProps) {
  return (
    <>
      <div className="catalogue__title">{title}</div>
      <div className="catalogue__rail">
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
        {filters && <FilterRail {...filters} />}
      </div>
      <div className="catalogue__main">{children}</div>
    </>
  );
}

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5];
