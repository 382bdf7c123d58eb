import "#app/catalogue/photos/components/photo-field.css";
import "#app/catalogue/selling/components/listing-form.css";
import "#app/orders/components/order-rows.css";
import "#app/ui/charts/day-chart.css";
import { Suspense } from "react";
import type { Route } from "./+types/my-shop.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { AddProductButton, CustomizeShopButton } from "#app/screens/my-shop/shop-dialogs.tsx";
import { ShopHead, ShopNumbers } from "#app/screens/my-shop/shop-head.tsx";
import { openShopListings, openShopOrders } from "#app/screens/my-shop/my-shop.server.ts";
import { readOrderGroup } from "#app/screens/my-shop/sales-rules.ts";
import { ShopProducts } from "#app/screens/my-shop/shop-products.tsx";
import { goesHome } from "#app/accounts/profile/semester.ts";
import { HolidayNotice, SemesterHoliday } from "#app/shops/components/holiday-form.tsx";
import { ShopTerms } from "#app/shops/components/shop-terms.tsx";
import { TermsBanner } from "#app/shops/components/terms-banner.tsx";
import { CountBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { InstallOffer } from "#app/ui/feedback/install-offer.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { TabLinks } from "#app/ui/page/tabs.tsx";

/** Only its tab loads its script. */
const SellerOrders = import.meta.env.SSR
  ? (await import("#app/screens/my-shop/seller-orders.tsx")).SellerOrders
  : lazyPart(async () => (await import("#app/screens/my-shop/seller-orders.tsx")).SellerOrders);

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData?.head.shop?.name ?? "My Shop");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { id, accountType } = requireViewer(context);
  const imports = accountType === "wholesaler";
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after");
  if (searchParams.get("tab") === "orders") {
    const asked = {
      group: readOrderGroup(searchParams.get("show")),
      search: (searchParams.get("q") ?? "").trim().slice(0, 40),
      after,
    };
    return { tab: "orders" as const, imports, asked, ...(await openShopOrders(services, id, asked)) };
  }
  return {
    tab: "products" as const,
    imports,
    ...(await openShopListings(services, id, after, searchParams.has("all"))),
  };
}

export default function MyShop({ loaderData }: Route.ComponentProps) {
  const { tab, head, imports } = loaderData;
  return (
    <div className="page stack my-shop">
      {head.awayUntil !== null && <HolidayNotice awayUntil={head.awayUntil} />}
      {head.awayUntil === null && head.shop && head.activeListings > 0 && head.semester && goesHome(head.semester) && (
        <SemesterHoliday semester={head.semester} pendingOrders={head.pendingOrders} now={head.now} />
      )}
      <ShopHead
        head={head}
        actions={
          <div className="row shop-head__ways">
            {/* Without listings, the empty list has the solid button. */}
            <AddProductButton
              icon="plus"
              variant={tab === "products" && head.listings === 0 ? "soft" : "solid"}
              data-tour="shop-add-product"
            >
              Add Product
            </AddProductButton>
            <CustomizeShopButton variant="soft" data-tour="shop-customize">
              {head.shop ? "Edit Shop" : "Customize Shop"}
            </CustomizeShopButton>
            {imports && (
              <LinkButton to="/myshop/import" variant="soft" icon="upload">
                Import
              </LinkButton>
            )}
          </div>
        }
      />
      <div id="shop-lists" className="stack">
        <TabLinks
          label="Shop"
          tabs={[
            { to: "/myshop", label: "Products", current: tab === "products" },
            {
              to: "/myshop?tab=orders",
              label: "Orders",
              current: tab === "orders",
              mark: <Pending count={head.pendingOrders} />,
              tour: "shop-orders-tab",
            },
            { to: "/myshop/figures", label: "Figures", current: false },
            { to: "/myshop/money", label: "My Money", current: false },
          ]}
        />
        {loaderData.tab === "products" ? (
          <>
            <ShopProducts first={loaderData} hasMore={loaderData.hasMore} />
            {head.listings > 0 && <InstallOffer />}
          </>
        ) : (
          <Suspense fallback={<Skeleton shape="text" />}>
            <SellerOrders orderList={loaderData.orderList} groups={head.groups} asked={loaderData.asked} />
          </Suspense>
        )}
      </div>
      <ShopNumbers head={head} />
      <footer className="my-shop__foot stack">
        <TermsBanner />
        <ShopTerms />
      </footer>
    </div>
  );
}

function Pending({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <CountBadge count={count} />
      <span className="visually-hidden">, {count} pending</span>
    </>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your shop" />;
}
