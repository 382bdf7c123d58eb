import "./my-shop.css";
import type { ReactNode } from "react";
import { accountTypeLabel } from "#app/accounts/account-type.ts";
import { countLabel } from "#app/catalogue/labels.ts";
import type { ShopHead } from "./my-shop.server.ts";
import { ReviewLink } from "#app/reviews/components/review-link.tsx";
import { shareableShop } from "#app/shops/share-shop.ts";
import { FeaturedMark } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { formatKes } from "#app/ui/money.ts";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";
import { SalesChart } from "./sales-chart.tsx";

/** The name of a seller's own shop, with a few facts. `listings`: their number now. */
export function ShopFacts({ head, listings }: { head: ShopHead; listings: number }) {
  const { shop } = head;
  const featured = shop?.featuredUntil !== null && shop?.featuredUntil !== undefined && shop.featuredUntil > head.now;
  return (
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
  );
}

/** The figures of a seller's own shop, and its sales by day. `activeListings`: their number now. */
export function ShopFigures({ head, activeListings }: { head: ShopHead; activeListings: number }) {
  return (
    <div className="stack">
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
    </div>
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
