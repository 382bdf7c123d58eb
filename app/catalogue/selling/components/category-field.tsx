import { useEffect, useRef, useState } from "react";
import type { Category } from "#app/catalogue/browse/browse.server.ts";
import { CATEGORY_TEXTS } from "#app/catalogue/selling/listing-form-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";

interface CategoryFieldProps {
  known: readonly Category[];
  defaultValue: string;
  /** Called after each choice. `settled` is false while a new category is being added. */
  onChoose: (settled: boolean) => void;
}

/** The id of a category that is being added. No id of the server's looks like it. */
export const PENDING = "pending:";

type NewCategory = typeof import("./new-category.tsx").NewCategory;

/** Chooses a category or adds one. */
export function CategoryField({ known, defaultValue, onChoose }: CategoryFieldProps) {
  const [own, setOwn] = useState<Category[]>([]);
  const [chosen, setChosen] = useState(defaultValue);
  const [isAdding, setIsAdding] = useState(false);
  const [NewCategory, setNewCategory] = useState<NewCategory | null>(null);
  const field = useRef<HTMLSelectElement>(null);
  const isBusy = own.some(({ id }) => id.startsWith(PENDING)) || (isAdding && !NewCategory);
  const categories = [...known, ...own.filter(({ id }) => !known.some((other) => other.id === id))].toSorted(
    (one, other) => one.name.localeCompare(other.name),
  );

  function choose(id: string, settled = true): void {
    setChosen(id);
    onChoose(settled);
  }
  const takeEarly = useRef(() => {
    // A category may have been chosen before this script ran.
    const early = field.current?.value ?? "";
    if (early !== "" && early !== defaultValue) choose(early);
  });
  useEffect(() => takeEarly.current(), []);

  function add(): void {
    setIsAdding(true);
    import("./new-category.tsx")
      .then((loaded) => setNewCategory(() => loaded.NewCategory))
      .catch(() => {
        setIsAdding(false);
        sayPartMissing(CATEGORY_TEXTS.failed);
      });
  }
  return (
    <>
      <div className="category-field">
        <Select
          ref={field}
          name="category"
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Choose a category</option>
          <NamedOptions of={categories} />
        </Select>
        {(!isAdding || !NewCategory) && (
          <Button className="category-field__new" variant="ghost" icon="plus" busy={isBusy} onClick={add}>
            New category
          </Button>
        )}
      </div>
      {NewCategory && (
        <NewCategory isOpen={isAdding} onOpen={setIsAdding} chosen={chosen} onChoose={choose} onAdd={setOwn} />
      )}
    </>
  );
}
