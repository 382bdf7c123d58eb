import { data, redirect } from "react-router";
import type { Route } from "./+types/explain-money.ts";
import { ExplainedMoneyView, ExplainSearchView } from "#app/admin/money/explain-view.tsx";
import { explainMoney, searchMoney } from "#app/admin/money/explain.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Explain a Payment");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { searchParams } = new URL(request.url);
  for (const kind of ["order", "plan"] as const) {
    const id = searchParams.get(kind);
    if (id === null) continue;
    const explained = await explainMoney(services, { kind, id });
    if (!explained) throw data(null, { status: 404 });
    return { step: "explained" as const, ...explained };
  }
  const search = (searchParams.get("q") ?? "").trim().slice(0, 60);
  const searched = await searchMoney(services, search);
  const [only, ...others] = searched.found;
  if (only && others.length === 0 && searched.lines.length === 0)
    throw redirect(`/admin/money/explain?${only.kind}=${only.id}`);
  return { step: "search" as const, search, ...searched };
}

export default function ExplainMoney({ loaderData }: Route.ComponentProps) {
  return loaderData.step === "explained" ? (
    <ExplainedMoneyView {...loaderData} />
  ) : (
    <ExplainSearchView {...loaderData} />
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "Payment not found",
    action: <LinkButton to="/admin/money/explain">Search again</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't explain this payment" error={error} missing={missing} />;
}
