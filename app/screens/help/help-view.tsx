import "./help.css";
import { Form, Link } from "react-router";
import { LinkButton } from "#app/ui/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SearchField } from "#app/ui/forms/search-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import type { HelpQuestion } from "./questions.ts";

/** A question as a list shows it. */
export type QuestionLink = Pick<HelpQuestion, "id" | "question">;

interface HelpViewProps {
  /** What was searched for; empty for nothing. */
  query: string;
  found: readonly QuestionLink[];
  groups: readonly { group: string; questions: readonly QuestionLink[] }[];
}

/** All questions by what they are about, and those that a search found. */
export function HelpView({ query, found, groups }: HelpViewProps) {
  return (
    <div className="page page--reading stack">
      <PageHeader title="Help" lead="Answers about paying, selling and staying safe." />
      <Form className="help-search" role="search" action="/help">
        <Field label="Search for an answer">
          <SearchField text={query} maxLength={100} enterKeyHint="search" />
        </Field>
        <Button type="submit">Search</Button>
      </Form>
      {query !== "" && (
        <section className="stack stack--tight" aria-labelledby="found">
          <h2 className="help-group" id="found">
            {found.length > 0 ? `Answers for “${query}”` : `Nothing found for “${query}”`}
          </h2>
          {found.length > 0 ? (
            <QuestionList questions={found} />
          ) : (
            <p>Try fewer or other words, look below, or ask our team.</p>
          )}
        </section>
      )}
      {groups.map(({ group, questions }, index) => (
        <section key={group} className="stack stack--tight" aria-labelledby={`group-${index}`}>
          <h2 className="help-group" id={`group-${index}`}>
            {group}
          </h2>
          <QuestionList questions={questions} />
        </section>
      ))}
      <AskTeam />
    </div>
  );
}

function QuestionList({ questions }: { questions: readonly QuestionLink[] }) {
  return (
    <ul className="help-list" role="list">
      {questions.map(({ id, question }) => (
        <li key={id}>
          <Link className="help-list__link" to={`/help/${id}`}>
            {question}
            <Icon name="chevron-right" size="small" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** One question with its answer, and the others about the same. */
export function QuestionView({ question, others }: { question: HelpQuestion; others: readonly QuestionLink[] }) {
  return (
    <div className="page page--reading stack">
      <PageHeader title={question.question} back={{ to: "/help", label: "Help" }} />
      {question.answer.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {question.links.length > 0 && (
        <div className="row">
          {question.links.map(({ label, to }, index) => (
            <LinkButton key={to} to={to} variant={index === 0 ? "solid" : "soft"}>
              {label}
            </LinkButton>
          ))}
        </div>
      )}
      <section className="stack stack--tight" aria-labelledby="others">
        <h2 className="help-group" id="others">
          {question.group}
        </h2>
        <QuestionList questions={others} />
      </section>
      <AskTeam />
    </div>
  );
}

function AskTeam() {
  return (
    <p className="quiet">
      No answer here? <TextLink to="/help/contact">Ask our team</TextLink>.
    </p>
  );
}
