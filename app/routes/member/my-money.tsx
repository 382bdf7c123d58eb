import type { Route } from "./+types/my-money.ts";
import { SellerMoney } from "#app/payments/components/seller-money.tsx";
import { openSellerMoney } from "#app/payments/books/seller-money.server.ts";
import { readMoneyState } from "#app/payments/books/seller-money-lines.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("My Money");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = readMoneyState(searchParams.get("show"));
  const asked = { sellerId: requireViewer(context).id, filter, after: searchParams.get("after") };
  return { filter, money: await openSellerMoney(context.get(servicesContext).db, asked) };
}

export default function MyMoney({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page stack">
      <PageHeader title="My Money" back={{ to: "/myshop", label: "My Shop" }} />
      <SellerMoney {...loaderData} />
      <p className="row">
        <TextLink to="/help/paid">When do I get paid?</TextLink>
        <TextLink to="/help/payout-waiting">My money hasn't come</TextLink>
      </p>
    </div>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your money" />;
}
