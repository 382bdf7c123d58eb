import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import "./my-shop.css";
import type { ReactNode } from "react";
import { useListingCounts } from "#app/catalogue/selling/components/listing-counts.ts";
import type { ShopHead as Head } from "./my-shop.server.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { SalesChart } from "./sales-chart.tsx";
import { ShopFacts, ShopFigures, ShopTodos } from "./shop-figures.tsx";

interface ShopHeadProps {
  head: Head;
  /** The owner's buttons beside the name. */
  actions: ReactNode;
}

/** A seller's own shop above its tabs: banner, name and what to do. */
export function ShopHead({ head, actions }: ShopHeadProps) {
  const { listings } = useListingCounts(head, head.now);
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
      {head.newFees.map((fee) => (
        <Callout key={fee}>{withWholeAmounts(fee)}</Callout>
      ))}
      <ShopTodos head={head} />
    </>
  );
}

/** A seller's figures and sales by day, below the list: what waits for them comes first. */
export function ShopNumbers({ head }: Pick<ShopHeadProps, "head">) {
  const { activeListings } = useListingCounts(head, head.now);
  return (
    <>
      <ShopFigures head={head} activeListings={activeListings} />
      <SalesChart sold={head.days} today={dayOf(head.now)} />
    </>
  );
}
