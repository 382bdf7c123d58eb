import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { TermRow } from "./prohibited.server.ts";
import { type ProhibitedTerm, TERM_MAX_LENGTH } from "#app/catalogue/selling/prohibited-rules.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { AddingForm } from "#app/team/components/adding-form.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminSearch, FilterLinks } from "#app/team/components/page-parts.tsx";

interface ProhibitedViewProps {
  rows: TermRow[];
  totals: Record<ProhibitedTerm["kind"], number>;
  categories: { id: string; name: string }[];
  kind: ProhibitedTerm["kind"];
  search: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

const KINDS = {
  word: {
    label: "Words and phrases",
    lead: "We check a listing with one of these in its name or description before it is published. Plurals and tricks such as “g u n” count as well.",
    field: "Word or phrase",
    hint: "A phrase such as “fake id” stops less that is fine than a single word.",
    add: "Add",
    search: "Word or phrase",
    none: "No words yet",
  },
  category: {
    label: "Categories",
    lead: "We check each new listing in one of these categories before it is published.",
    field: "Category",
    hint: undefined,
    add: "Add Category",
    search: "Category name",
    none: "No categories yet",
  },
  allowed: {
    label: "Allowed phrases",
    lead: "These are fine although they contain a prohibited word: a “glue gun” isn't a gun.",
    field: "Allowed phrase",
    hint: "It must contain the prohibited word.",
    add: "Add",
    search: "Allowed phrase",
    none: "No allowed phrases yet",
  },
} as const;

/** What new listings are checked for. */
export function ProhibitedView({ rows, totals, categories, kind, search, counts, answer }: ProhibitedViewProps) {
  const texts = KINDS[kind];
  return (
    <AdminPage
      title="Prohibited Goods"
      lead="What holds a new or edited listing until our team has looked at it."
      counts={counts}
    >
      <FilterLinks
        label="Kinds"
        name="kind"
        current={kind}
        choices={(["word", "category", "allowed"] as const).map((value) => ({
          value,
          label: KINDS[value].label,
          count: totals[value],
        }))}
      />
      <p>{texts.lead}</p>
      <section className="card" aria-label={texts.add}>
        <AddingForm
          key={kind}
          subject={kind}
          intent="add-term"
          answer={answer}
          label={texts.add}
          values={{ kind }}
          variant="solid"
        >
          {(error, typed) => (
            <Field label={texts.field} hint={texts.hint} error={error("term")}>
              {kind === "category" ? (
                <Select name="term" defaultValue={typed("term") ?? ""}>
                  <option value="">Choose a category</option>
                  <NamedOptions of={categories} />
                </Select>
              ) : (
                <TextField name="term" defaultValue={typed("term")} maxLength={TERM_MAX_LENGTH} autoComplete="off" />
              )}
            </Field>
          )}
        </AddingForm>
      </section>
      <AdminSearch search={search} label={texts.search} keep={{ kind }} />
      {rows.length === 0 ? (
        <EmptyState
          icon={search ? "search-x" : "circle-check"}
          title={search ? "Nothing found" : texts.none}
          level={2}
        />
      ) : (
        <ul className="admin__terms" role="list">
          {rows.map((row) => (
            <li key={row.id} className="admin__term">
              <span className="admin__term-words">{row.label}</span>
              <AdminForm
                subject={row.id}
                intent="remove-term"
                answer={answer}
                label={
                  <>
                    Remove<span className="visually-hidden"> {row.label}</span>
                  </>
                }
                values={{ kind }}
              />
            </li>
          ))}
        </ul>
      )}
    </AdminPage>
  );
}
