import type { Route } from "./+types/my-statement.ts";
import { openSellerStatement } from "#app/payments/books/seller-statement.server.ts";
import { readMonth } from "#app/payments/books/seller-statement-lines.ts";
import { SellerStatementView } from "#app/payments/components/seller-statement.tsx";
import { monthName } from "#app/platform/east-africa-time.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Statement");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const now = services.now();
  const month = readMonth(new URL(request.url).searchParams.get("month"), now);
  const opened = await openSellerStatement(services, { sellerId: requireViewer(context).id, month });
  return { ...opened, hasNext: month < monthName(now) };
}

export default function MyStatement({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page page--reading stack">
      <PageHeader
        title="Statement"
        lead="A month of your sales, from the opening to the closing balance."
        back={{ to: "/myshop/money", label: "My Money" }}
      />
      <SellerStatementView {...loaderData} />
    </div>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your statement" />;
}
