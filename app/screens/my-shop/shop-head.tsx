import "./my-shop.css";
import type { ReactNode } from "react";
import { accountTypeLabel } from "#app/accounts/account-rules.ts";
import { useListingCounts } from "#app/catalogue/components/listing-counts.ts";
import { countLabel } from "#app/catalogue/labels.ts";
import type { ShopHead as Head } from "./my-shop.server.ts";
import { ReviewLink } from "#app/reviews/components/review-link.tsx";
import { shareableShop } from "#app/shops/share-shop.ts";
import { FeaturedMark } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { formatKes } from "#app/ui/money.ts";
import { Photo } from "#app/ui/photo.tsx";
import { ShareButton } from "#app/ui/share-button.tsx";
import { SalesChart } from "./sales-chart.tsx";

interface ShopHeadProps {
  head: Head;
  /** The owner's buttons beside the name. */
  actions: ReactNode;
}

/** A seller's own shop above its tabs: banner, name and figures. */
export function ShopHead({ head, actions }: ShopHeadProps) {
  const { shop } = head;
  const { listings, activeListings } = useListingCounts(head, head.now);
  const featured = shop?.featuredUntil !== null && shop?.featuredUntil !== undefined && shop.featuredUntil > head.now;
  return (
    <>
      <header className="shop-head" data-tour="shop-dashboard">
        {shop?.bannerUrl && (
          <div className="shop-head__banner">
            <Photo src={shop.bannerUrl} alt="" fill priority />
          </div>
        )}
        <div className="shop-head__words">
          <div className="stack stack--tight">
            <div className="row">
              <h1>{shop?.name ?? "My Shop"}</h1>
              {featured && <FeaturedMark />}
              {head.activeListings > 0 && <ShareButton compact variant="ghost" shared={shareableShop(head)} />}
            </div>
            <dl className="shop-head__facts">
              <Fact name={listings === 1 ? "Listing" : "Listings"}>{countLabel(listings)}</Fact>
              <Fact name={head.pendingOrders === 1 ? "Pending Order" : "Pending Orders"}>
                {countLabel(head.pendingOrders)}
              </Fact>
              <Fact name="Account Type">{accountTypeLabel(head)}</Fact>
            </dl>
            {head.stars.some((count) => count > 0) && (
              <p className="small">
                <ReviewLink personId={head.id} as="seller" stars={head.stars} />
              </p>
            )}
          </div>
          {actions}
        </div>
      </header>
      <section className="shop-figures" aria-label="Your shop in figures">
        <Figure icon="package" name="Active Listings" value={countLabel(activeListings)} />
        <Figure icon="shopping-bag" name="Total Sales" value={head.sales.toLocaleString("en")} />
        <Figure icon="wallet" name="Revenue" value={formatKes(head.revenue)} />
        <Figure
          icon="clock"
          name="Pending Orders"
          value={countLabel(head.pendingOrders)}
          waiting={head.pendingOrders > 0}
        />
      </section>
      <SalesChart days={head.days} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}

/** One figure. `waiting` highlights it. */
function Figure({ icon, name, value, waiting }: { icon: IconName; name: string; value: string; waiting?: boolean }) {
  return (
    <div className={classNames("shop-figure card", waiting && "shop-figure--waiting")}>
      <span className="shop-figure__name">
        <Icon name={icon} size="small" />
        {name}
      </span>
      <strong className="shop-figure__value">{value}</strong>
    </div>
  );
}
