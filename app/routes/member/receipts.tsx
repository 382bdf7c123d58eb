import type { Route } from "./+types/receipts.ts";
import { openBuyerReceipts, readYear } from "#app/payments/books/buyer-receipts.server.ts";
import { BuyerReceiptsView } from "#app/payments/components/buyer-receipts.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Receipts");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const now = services.now();
  const year = readYear(new URL(request.url).searchParams.get("year"), now);
  const receipts = await openBuyerReceipts(services, { userId: requireViewer(context).id, year });
  return { receipts, hasNext: year < readYear(null, now) };
}

export default function Receipts({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page page--reading stack">
      <PageHeader
        title="Receipts"
        lead="What you paid in a year, and what came back."
        back={{ to: "/profile?tab=orders", label: "My Orders" }}
      />
      <BuyerReceiptsView {...loaderData} />
    </div>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your receipts" />;
}
