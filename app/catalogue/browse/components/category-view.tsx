import "./catalogue.css";
import type { ComponentProps } from "react";
import { useNavigation } from "react-router";
import type { ResultCount } from "#app/catalogue/browse/browse.server.ts";
import type { CategoryPage } from "#app/catalogue/browse/category.server.ts";
import { categoryList, hasNone, listPath, NO_LIST_FILTERS, SEARCH } from "#app/catalogue/browse/list-filters.ts";
import { Breadcrumbs } from "#app/ui/page/breadcrumbs.tsx";
import { ChipLink, ChipRow } from "#app/ui/chip.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge } from "#app/ui/label-badge.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { FilterPanel } from "./filter-panel.tsx";
import { ListControls, type ListControlsProps, NoneMatch } from "./list-controls.tsx";
import { ProductFeed } from "./product-feed.tsx";

interface CategoryViewProps {
  page: Omit<CategoryPage, "exists"> & Pick<ListControlsProps, "filters" | "unreadable">;
  /** The category's id or name. */
  category: string;
  /** What the screen adds to each card. */
  cardParts?: ComponentProps<typeof ProductFeed>["cardParts"];
}

const HOME = [{ name: "Home", path: "/home" }];

/** The content of a category's screen: breadcrumb, item count, filters and products. */
export function CategoryView({ page, category, cardParts }: CategoryViewProps) {
  const { filters, unreadable } = page;
  const navigation = useNavigation();
  const list = categoryList(category);
  const filtering = navigation.location?.pathname === list.path;
  return (
    <>
      <div className="catalogue__title">
        <Breadcrumbs crumbs={HOME} current={page.name} />
        <div className="row">
          <h1>{page.name}</h1>
          <Badge>{itemsLabel(page.count)}</Badge>
        </div>
      </div>
      <aside aria-label="Filters" className="catalogue__side">
        <FilterPanel list={list} filters={filters} facts={page.facts} unreadable={unreadable} />
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
        <ListControls
          list={list}
          filters={filters}
          typeName={page.typeName}
          facts={page.facts}
          unreadable={unreadable}
        />
        <ProductFeed
          label={page.name}
          first={page}
          path={listPath(list, filters)}
          cardParts={cardParts}
          empty={
            hasNone(filters) ? (
              <EmptyState
                icon="search-x"
                title="No products found"
                sentence="No items in this category yet."
                action={
                  <LinkButton to="/studentmarketplace" variant="soft">
                    All Products
                  </LinkButton>
                }
              />
            ) : (
              <NoneMatch list={list} />
            )
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
      <div className="catalogue__side" />
      <div className="catalogue__main">
        <ProductGridSkeleton />
      </div>
    </>
  );
}
