import { Link } from "react-router";
import type { CategoryRow } from "#app/admin/categories.server.ts";
import type { DeskAnswer } from "#app/admin/desk-answer.ts";
import type { DeskCounts } from "#app/admin/desk.server.ts";
import { categoryPath } from "#app/catalogue/rules.ts";
import { formatDate } from "#app/ui/dates.ts";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/form-fields.tsx";
import { EmptyState } from "#app/ui/state.tsx";
import { DeskForm } from "./desk-form.tsx";
import { Desk, DeskRow, DeskSearch, Facts } from "./desk-parts.tsx";

interface CategoriesViewProps {
  rows: CategoryRow[];
  targets: { id: string; name: string }[];
  search: string;
  counts: DeskCounts;
  answer: DeskAnswer | null;
}

/** The categories that sellers added, to be merged into another one or removed. */
export function CategoriesView({ rows, targets, search, counts, answer }: CategoriesViewProps) {
  return (
    <Desk title="Categories" lead="Merge or remove categories that sellers added." counts={counts}>
      <DeskSearch search={search} label="Part of a category's name" />
      {rows.length === 0 ? (
        <EmptyState
          icon={search ? "search-x" : "circle-check"}
          title={search ? "No categories found" : "Sellers haven't added any categories"}
        />
      ) : (
        <ul className="desk__rows" role="list">
          {rows.map((row) => (
            <DeskRow key={row.id} head={<h2 className="desk__title">{row.name}</h2>}>
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
              <DeskForm subject={row.id} intent="merge-category" answer={answer} opener="Merge" label="Merge">
                {(error) => (
                  <Field label="Move its listings to" error={error("into")}>
                    {(control) => (
                      <Select {...control} name="into" defaultValue="">
                        <option value="">Choose a category</option>
                        {targets
                          .filter(({ id }) => id !== row.id)
                          .map(({ id, name }) => (
                            <option key={id} value={id}>
                              {name}
                            </option>
                          ))}
                      </Select>
                    )}
                  </Field>
                )}
              </DeskForm>
              <DeskForm
                subject={row.id}
                intent="remove-category"
                answer={answer}
                opener="Remove"
                label="Remove category"
                tone="red"
              >
                {() => (
                  <p className="quiet">
                    {row.listings === 0
                      ? "Nothing is listed in it."
                      : "Its listings stay for sale and show as “Other” until their sellers choose a new category."}
                  </p>
                )}
              </DeskForm>
            </DeskRow>
          ))}
        </ul>
      )}
    </Desk>
  );
}
