import { useOutlet } from "react-router";
import type { Route } from "./+types/problems.ts";
import { ProblemsView } from "#app/admin/problems/problems-view.tsx";
import { readProblemList } from "#app/admin/problems/problem-lists.ts";
import { listProblems } from "#app/admin/problems/problems.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("Problems");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const list = readProblemList(searchParams.get("show"));
  const after = searchParams.get("after");
  return { ...(await listProblems(context.get(servicesContext), list, after)), list, begun: after !== null };
}

export default function Problems({ loaderData }: Route.ComponentProps) {
  return <ProblemsView {...loaderData} open={useOutlet()} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the problems" />;
}
