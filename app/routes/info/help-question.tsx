import { data } from "react-router";
import type { Route } from "./+types/help-question.ts";
import { servicesContext } from "#app/request/context.ts";
import { QuestionView } from "#app/screens/help/help-view.tsx";
import { helpQuestions } from "#app/screens/help/questions.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData?.question.question ?? "Help");
}

export function loader({ params, context }: Route.LoaderArgs) {
  const questions = helpQuestions(context.get(servicesContext).deals);
  const question = questions.find(({ id }) => id === params.topic);
  if (!question) throw data(null, { status: 404 });
  const others = questions
    .filter(({ id, group }) => group === question.group && id !== question.id)
    .map(({ id, question: title }) => ({ id, question: title }));
  return { question, others };
}

export default function HelpQuestionScreen({ loaderData }: Route.ComponentProps) {
  return <QuestionView key={loaderData.question.id} {...loaderData} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="page">
      {isNotFound(error) ? (
        <ErrorState
          level={1}
          title="We couldn't find that page"
          sentence="Search for it, or ask our team."
          action={<LinkButton to="/help">Open Help</LinkButton>}
        />
      ) : (
        <ErrorState level={1} title="We couldn't load this answer" />
      )}
    </div>
  );
}
