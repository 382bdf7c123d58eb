import "./my-shop.css";
import type { ReactNode } from "react";
import { useListingCounts } from "#app/catalogue/selling/components/listing-counts.ts";
import type { ShopHead as Head } from "./my-shop.server.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { SalesChart } from "./sales-chart.tsx";
import { ShopFacts, ShopFigures, ShopTodos } from "./shop-figures.tsx";

interface ShopHeadProps {
  head: Head;
  /** The owner's buttons beside the name. */
  actions: ReactNode;
}

/** A seller's own shop above its tabs: banner, name, what to do, figures and sales by day. */
export function ShopHead({ head, actions }: ShopHeadProps) {
  const { listings, activeListings } = useListingCounts(head, head.now);
  return (
    <>
      <header className="shop-head" data-tour="shop-dashboard">
        {head.shop?.bannerUrl && (
          <div className="shop-head__banner">
            <Photo src={head.shop.bannerUrl} alt="" fill priority />
          </div>
        )}
        <div className="shop-head__words">
          <ShopFacts head={head} listings={listings} />
          {actions}
        </div>
      </header>
      <ShopTodos head={head} />
      <ShopFigures head={head} activeListings={activeListings} />
      <SalesChart days={head.days} />
    </>
  );
}
