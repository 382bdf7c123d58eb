import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { TypeRow } from "./types.server.ts";
import type { WordUse } from "#app/catalogue/types/item-type.ts";
import { formatDate } from "#app/ui/dates.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, AdminSearch, Facts, FilterLinks } from "#app/team/components/page-parts.tsx";

interface Choice {
  id: string;
  name: string;
}

interface TypesViewProps {
  missed: { words: string; count: number; lastAt: number }[];
  rows: TypeRow[];
  untyped: number;
  categories: (Choice & { types: number })[];
  types: Choice[];
  /** Null shows what people searched for without finding it. */
  category: string | null;
  search: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

const USES: Record<WordUse, string> = {
  name: "People call it so",
  sign: "A listing with it is one: a brand's model",
  none: "It doesn't mean this",
};

/** What kinds of things there are, and the words by which listings and searches show them. */
export function TypesView({
  missed,
  rows,
  untyped,
  categories,
  types,
  category,
  search,
  counts,
  answer,
}: TypesViewProps) {
  const isMissed = category === null && search === "";
  return (
    <AdminPage
      title="Types of Things"
      lead="The words by which we know what a listing is and what a search means. Listings change within some hours."
      counts={counts}
    >
      <AdminSearch search={search} label="Type or word" />
      <FilterLinks
        label="Categories"
        name="category"
        current={search === "" ? (category ?? "") : "search"}
        choices={[
          { value: "", label: "Searched, not found", count: missed.length },
          ...categories
            .filter((choice) => choice.types > 0)
            .map((choice) => ({ value: choice.id, label: choice.name, count: choice.types })),
        ]}
      />
      {isMissed && <MissedSearches missed={missed} answer={answer} />}
      {!isMissed && rows.length === 0 && <EmptyState icon="search-x" title="Nothing found" level={2} />}
      {!isMissed && rows.map((row) => <TypeCard key={row.id} row={row} answer={answer} />)}
      <section className="card stack" aria-label="Say what a word means">
        <h2>Say what a word means</h2>
        <WordForm types={types} answer={answer} />
      </section>
      <section className="card stack" aria-label="Add a type">
        <h2>Add a type</h2>
        <NewTypeForm categories={categories} answer={answer} />
      </section>
      <p className="quiet">
        {untyped} of the newest listings for sale have no type: their names don't say what they are.
      </p>
    </AdminPage>
  );
}

function MissedSearches({ missed, answer }: Pick<TypesViewProps, "missed" | "answer">) {
  if (missed.length === 0)
    return (
      <EmptyState
        icon="circle-check"
        title="Nothing missed lately"
        sentence="What people search for three times or more without finding it shows here for 30 days."
        level={2}
      />
    );
  return (
    <ul className="admin__terms" role="list">
      {missed.map(({ words, count, lastAt }) => (
        <li key={words} className="admin__term">
          <span className="admin__term-words">
            {words}{" "}
            <span className="quiet small">
              {count} times, last on {formatDate(lastAt)}
            </span>
          </span>
          <AdminForm
            subject={words}
            intent="forget-missed"
            answer={answer}
            label={
              <>
                Remove<span className="visually-hidden"> {words}</span>
              </>
            }
          />
        </li>
      ))}
    </ul>
  );
}

function TypeCard({ row, answer }: { row: TypeRow; answer: AdminFormAnswer | null }) {
  return (
    <AdminRow
      head={
        <>
          <h2>{row.name}</h2>
          <span className="quiet">{row.listings === 1 ? "1 listing" : `${row.listings} listings`}</span>
        </>
      }
    >
      <Facts
        facts={[
          ["People call it", row.names.join(", ") || "nothing else"],
          ["Signs of it", row.signs.join(", ") || "none"],
        ]}
      />
      {row.changes.length > 0 && (
        <ul className="admin__terms" role="list">
          {row.changes.map(({ word, use }) => (
            <li key={word} className="admin__term">
              <span className="admin__term-words">
                {word} <span className="quiet small">{USES[use]}</span>
              </span>
              <AdminForm
                subject={`${row.id} ${word}`}
                intent="unset-word"
                answer={answer}
                values={{ type: row.id, word }}
                label={
                  <>
                    Take back<span className="visually-hidden"> {word}</span>
                  </>
                }
              />
            </li>
          ))}
        </ul>
      )}
    </AdminRow>
  );
}

function WordForm({ types, answer }: Pick<TypesViewProps, "types" | "answer">) {
  return (
    <AdminForm subject="word" intent="set-word" answer={answer} label="Save" variant="solid">
      {(error, typed) => (
        <>
          <Field
            label="Word or phrase"
            hint="One of a kind: “lappy”. In a sign, # stands for a number: “fx #”."
            error={error("word")}
          >
            <TextField name="word" defaultValue={typed("word")} maxLength={40} autoComplete="off" />
          </Field>
          <Field label="Type" error={error("type")}>
            <Select name="type" defaultValue={typed("type") ?? ""}>
              <option value="">Choose a type</option>
              <NamedOptions of={types} />
            </Select>
          </Field>
          <Field label="What it means" error={error("use")}>
            <Select name="use" defaultValue={typed("use") ?? "name"}>
              {Object.entries(USES).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
    </AdminForm>
  );
}

function NewTypeForm({ categories, answer }: Pick<TypesViewProps, "categories" | "answer">) {
  return (
    <AdminForm subject="type" intent="add-type" answer={answer} label="Add Type">
      {(error, typed) => (
        <>
          <Field label="Name of one" hint="For example, Drone." error={error("name")}>
            <TextField name="name" defaultValue={typed("name")} maxLength={40} autoComplete="off" />
          </Field>
          <Field label="Name of several" hint="For example, Drones." error={error("plural")}>
            <TextField name="plural" defaultValue={typed("plural")} maxLength={40} autoComplete="off" />
          </Field>
          <Field label="Category" error={error("category")}>
            <Select name="category" defaultValue={typed("category") ?? ""}>
              <option value="">Choose a category</option>
              <NamedOptions of={categories} />
            </Select>
          </Field>
        </>
      )}
    </AdminForm>
  );
}
