import { type KeyboardEvent, useRef, useState } from "react";
import type { CategoryAnswer } from "#app/catalogue/categories.server.ts";
import type { Category } from "#app/catalogue/browse.server.ts";
import { CATEGORY_TEXTS, LISTING_MAX } from "#app/catalogue/listing-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { type ControlProps, FieldError } from "#app/ui/field.tsx";
import { Select } from "#app/ui/form-fields.tsx";
import { postForm } from "#app/ui/post-form.ts";
import { TextField } from "#app/ui/text-field.tsx";
import { toast } from "#app/ui/toast.ts";

interface CategoryFieldProps {
  control: ControlProps;
  known: readonly Category[];
  defaultValue: string;
  /** Called after each choice. `settled` is false while a new category is being added. */
  onChoose: (settled: boolean) => void;
}

/** The id of a category that is being added. No id of the server's looks like it. */
const PENDING = "pending:";

/**
 * Chooses a category or adds one. A new one shows as pending at once, and is removed again if the server refuses it.
 */
export function CategoryField({ control, known, defaultValue, onChoose }: CategoryFieldProps) {
  const [own, setOwn] = useState<Category[]>([]);
  const [chosen, setChosen] = useState(defaultValue);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const pending = own.some(({ id }) => id.startsWith(PENDING));
  const categories = [...known, ...own.filter(({ id }) => !known.some((other) => other.id === id))].toSorted(
    (one, other) => one.name.localeCompare(other.name),
  );

  function choose(id: string, settled = true): void {
    setChosen(id);
    onChoose(settled);
  }
  async function suggest(): Promise<void> {
    const name = (typed ?? "").trim();
    if (name === "") return fail(CATEGORY_TEXTS.required);
    const draft = { id: `${PENDING}${name}`, name: `${name} (pending)` };
    const before = chosen;
    setOwn((last) => [...last, draft]);
    setTyped(null);
    setError(null);
    choose(draft.id, false);
    const answer = await send(name);
    const category = answer.ok ? answer.category : answer.known;
    setOwn((last) => [...last.filter(({ id }) => id !== draft.id), ...(category ? [category] : [])]);
    choose(category?.id ?? before);
    if (answer.ok) return toast.success(CATEGORY_TEXTS.added);
    if (answer.known) return toast.info(`${answer.error}: ${answer.known.name}`);
    setTyped(name);
    fail(answer.error);
    toast.error(answer.error);
  }
  function fail(words: string): void {
    setError(words);
    input.current?.focus();
  }
  function submitOnEnter(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void suggest();
  }
  return (
    <>
      <div className="category-field">
        <Select
          {...control}
          name="category"
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Choose a category</option>
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        {typed === null && (
          <Button
            className="category-field__new"
            variant="ghost"
            tone="gray"
            icon="plus"
            busy={pending}
            onClick={() => setTyped("")}
          >
            New category
          </Button>
        )}
      </div>
      {typed !== null && (
        <div className="category-field__suggestion">
          <div className="row">
            <TextField
              ref={input}
              className="grow"
              aria-label="Name of the new category"
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${control.id}-new-error` : undefined}
              placeholder="For example, Musical Instruments"
              value={typed}
              maxLength={LISTING_MAX.categoryName}
              // The user has just opened this field.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              onKeyDown={submitOnEnter}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value);
                setError(null);
              }}
            />
            <Button onClick={() => void suggest()}>Add</Button>
            <Button
              variant="ghost"
              tone="gray"
              onClick={() => {
                setTyped(null);
                setError(null);
              }}
            >
              Cancel
            </Button>
          </div>
          {error && <FieldError id={`${control.id}-new-error`} message={error} />}
        </div>
      )}
    </>
  );
}

async function send(name: string): Promise<CategoryAnswer> {
  return (await postForm<CategoryAnswer>("/categories", { name })) ?? { ok: false, error: CATEGORY_TEXTS.failed };
}
