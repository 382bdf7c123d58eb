import { Link } from "react-router";
import type { CategoryRow } from "./categories.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { formatDate } from "#app/ui/dates.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, AdminSearch, Facts } from "#app/team/components/page-parts.tsx";

interface CategoriesViewProps {
  rows: CategoryRow[];
  targets: { id: string; name: string }[];
  search: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

/** The categories that sellers added. Admins merge them into another one or remove them. */
export function CategoriesView({ rows, targets, search, counts, answer }: CategoriesViewProps) {
  return (
    <AdminPage title="Categories" lead="Merge or remove categories that sellers added." counts={counts}>
      <AdminSearch search={search} label="Category name" />
      {rows.length === 0 ? (
        <EmptyState
          icon={search ? "search-x" : "circle-check"}
          title={search ? "No categories found" : "No categories to review"}
        />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <AdminRow key={row.id} head={<h2 className="admin__title">{row.name}</h2>}>
              <Facts
                facts={[
                  [
                    "Listings",
                    row.listings === 0 ? (
                      "None"
                    ) : (
                      <Link key="listings" className="text-link" to={categoryPath(row.id)}>
                        {row.listings}
                      </Link>
                    ),
                  ],
                  ["Added by", row.creatorName],
                  ["Added", formatDate(row.createdAt)],
                ]}
              />
              <AdminForm subject={row.id} intent="merge-category" answer={answer} opener="Merge" label="Merge">
                {(error, typed) => (
                  <Field label="Move its listings to" error={error("into")}>
                    <Select name="into" defaultValue={typed("into") ?? ""}>
                      <option value="">Choose a category</option>
                      <NamedOptions of={targets.filter(({ id }) => id !== row.id)} />
                    </Select>
                  </Field>
                )}
              </AdminForm>
              <AdminForm
                subject={row.id}
                intent="remove-category"
                answer={answer}
                opener="Remove"
                label="Remove Category"
                danger
              >
                {() => (
                  <p className="quiet">
                    {row.listings === 0
                      ? "This category has no listings."
                      : "Its listings stay for sale and appear under “Other” until their sellers choose a new category."}
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
