import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { University } from "./universities.server.ts";
import { DOMAIN_MAX } from "./university-rules.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { AddingForm } from "#app/team/components/adding-form.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, AdminSearch, Facts } from "#app/team/components/page-parts.tsx";

interface UniversitiesViewProps {
  rows: University[];
  search: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

/** The email domains of universities. A confirmed address there verifies a student. */
export function UniversitiesView({ rows, search, counts, answer }: UniversitiesViewProps) {
  return (
    <AdminPage
      title="Universities"
      lead="A student who confirms an email address at one of these domains, or below it, is verified at once."
      counts={counts}
    >
      <section className="card stack" aria-labelledby="add-university">
        <h2 id="add-university" className="admin__title">
          Add a university
        </h2>
        <AddingForm subject="new" intent="add" answer={answer} label="Add University" variant="solid">
          {(error, typed) => (
            <>
              <Field label="Name" error={error("name")}>
                <TextField
                  name="name"
                  defaultValue={typed("name")}
                  autoComplete="off"
                  maxLength={DOMAIN_MAX}
                  aria-required
                />
              </Field>
              <Field
                label="Email domain"
                hint="What stands after the @, such as uonbi.ac.ke. It includes students.uonbi.ac.ke."
                error={error("domain")}
              >
                <TextField
                  name="domain"
                  defaultValue={typed("domain")}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={DOMAIN_MAX}
                  aria-required
                />
              </Field>
            </>
          )}
        </AddingForm>
      </section>
      <AdminSearch search={search} label="Name or domain" />
      {rows.length === 0 ? (
        <EmptyState icon="search-x" title="No universities found" />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map(({ domain, name }) => (
            <AdminRow key={domain} head={<h2 className="admin__title">{name}</h2>}>
              <Facts facts={[["Email domain", domain]]} />
              <AdminForm
                subject={domain}
                intent="remove"
                answer={answer}
                opener="Remove"
                label="Remove University"
                danger
              >
                {() => (
                  <p className="quiet">
                    Students with an address there are no longer verified, unless our team approved their student ID.
                  </p>
                )}
              </AdminForm>
            </AdminRow>
          ))}
        </ul>
      )}
    </AdminPage>
  );
}
