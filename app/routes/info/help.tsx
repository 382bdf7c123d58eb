import type { Route } from "./+types/help.ts";
import { servicesContext } from "#app/request/context.ts";
import { HelpView } from "#app/screens/help/help-view.tsx";
import { searchHelp } from "#app/screens/help/help-rules.ts";
import { HELP_GROUPS, type HelpQuestion, helpQuestions } from "#app/screens/help/questions.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Help");
}

export function loader({ request, context }: Route.LoaderArgs) {
  const questions = helpQuestions(context.get(servicesContext).deals);
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 100);
  const link = ({ id, question }: HelpQuestion) => ({ id, question });
  return {
    query,
    found: searchHelp(questions, query).map(link),
    groups: HELP_GROUPS.map((group) => ({
      group,
      questions: questions.filter((each) => each.group === group).map(link),
    })),
  };
}

export default function Help({ loaderData }: Route.ComponentProps) {
  return <HelpView {...loaderData} />;
}
