import "./catalogue.css";
import type { ComponentProps } from "react";
import { useNavigation } from "react-router";
import type { ResultCount } from "#app/catalogue/browse/browse.server.ts";
import type { CategoryPage } from "#app/catalogue/browse/category.server.ts";
import {
  activeChips,
  type ListFilters,
  listPath,
  type ListPlace,
  NO_LIST_FILTERS,
  SEARCH,
} from "#app/catalogue/browse/list-filters.ts";
import { Breadcrumbs } from "#app/ui/page/breadcrumbs.tsx";
import { ChipLink, ChipRow } from "#app/ui/chip.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge } from "#app/ui/label-badge.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { FilterDrawer, FilterPanel } from "./category-filters.tsx";
import { ProductFeed } from "./product-feed.tsx";

interface CategoryViewProps {
  page: Omit<CategoryPage, "exists">;
  /** The category. */
  list: ListPlace;
  filters: ListFilters;
  /** What the screen adds to each card. */
  cardParts?: ComponentProps<typeof ProductFeed>["cardParts"];
}

const HOME = [{ name: "Home", path: "/home" }];

/** The content of a category's screen: breadcrumb, item count, filters and products. */
export function CategoryView({ page, list, filters, cardParts }: CategoryViewProps) {
  const navigation = useNavigation();
  const filtered = activeChips(filters).length > 0;
  const filtering = navigation.location?.pathname === list.path;
  return (
    <>
      <div className="catalogue__title">
        <Breadcrumbs crumbs={HOME} current={page.name} />
        <div className="category-head">
          <div className="row">
            <h1>{page.name}</h1>
            <Badge>{itemsLabel(page.count)}</Badge>
          </div>
          <FilterDrawer list={list} filters={filters} />
        </div>
      </div>
      <aside className="catalogue__side catalogue__side--filters">
        <FilterPanel list={list} filters={filters} />
      </aside>
      <div className="catalogue__main catalogue__main--one" aria-busy={filtering}>
        {page.types.length > 1 && (
          <div className="catalogue__types">
            <ChipRow label="Kinds of things">
              {page.types.map(({ id, name, count }) => (
                <ChipLink key={id} to={listPath(SEARCH, { ...NO_LIST_FILTERS, type: id })} discover="none">
                  {name} <span className="quiet">{count.toLocaleString("en")}</span>
                </ChipLink>
              ))}
            </ChipRow>
          </div>
        )}
        <ProductFeed
          label={page.name}
          first={page}
          path={listPath(list, filters)}
          cardParts={cardParts}
          empty={
            <EmptyState
              icon="search-x"
              title="No products found"
              sentence={filtered ? "Nothing in this category matches these filters." : "No items in this category yet."}
              action={
                <LinkButton to={filtered ? list.path : "/studentmarketplace"} variant="soft">
                  {filtered ? "Reset Filters" : "All Products"}
                </LinkButton>
              }
            />
          }
        />
      </div>
    </>
  );
}

function itemsLabel({ shown, more }: ResultCount): string {
  return shown === 1 ? "1 item" : `${shown.toLocaleString("en")}${more ? "+" : ""} items`;
}

/** The skeleton of a category while it loads. */
export function CategorySkeleton() {
  return (
    <>
      <div className="catalogue__title">
        <Skeleton shape="title" />
      </div>
      <div className="catalogue__side catalogue__side--filters" />
      <div className="catalogue__main">
        <ProductGridSkeleton />
      </div>
    </>
  );
}
