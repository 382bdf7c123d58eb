import { data } from "react-router";
import type { Route } from "./+types/campus-month.ts";
import { CampusMonthView } from "#app/admin/operations/campus-month-view.tsx";
import { readCampusMonth } from "#app/admin/operations/campus-month.server.ts";
import { readMonth } from "#app/payments/books/seller-statement-lines.ts";
import { monthName, monthsUpTo } from "#app/platform/east-africa-time.ts";
import { servicesContext } from "#app/request/context.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("A campus's month");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { searchParams } = new URL(request.url);
  const current = monthName(services.now());
  const month = readMonth(searchParams.get("month"), services.now());
  const page = await readCampusMonth(services, Number(searchParams.get("campus")), month);
  if (!page) throw data(null, { status: 404 });
  return { ...page, months: [...new Set([...monthsUpTo(current, 12), month])], isRunning: month === current };
}

export default function CampusMonthPage({ loaderData }: Route.ComponentProps) {
  return <CampusMonthView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the campus's month" />;
}
