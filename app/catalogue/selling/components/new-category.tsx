import { type Dispatch, type KeyboardEvent, type SetStateAction, useEffect, useId, useRef, useState } from "react";
import type { Category } from "#app/catalogue/browse/browse.server.ts";
import type { CategoryAnswer } from "#app/catalogue/selling/categories.server.ts";
import { CATEGORY_TEXTS, LISTING_MAX } from "#app/catalogue/selling/listing-form-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";
import { postForm } from "#app/ui/forms/post-form.ts";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { PENDING } from "./category-field.tsx";

interface NewCategoryProps {
  /** Closed while the server checks the category. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** The id of the chosen category. */
  chosen: string;
  onChoose: (id: string, settled?: boolean) => void;
  /** Changes the categories that the seller has added. */
  onAdd: Dispatch<SetStateAction<Category[]>>;
}

/**
 * Adds a category. It shows as pending at once, and is removed again if the server refuses it. Few sellers add one, so
 * this file loads when somebody wants to.
 */
export function NewCategory({ isOpen, onOpen, chosen, onChoose, onAdd }: NewCategoryProps) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  const errorId = `${fieldId}-error`;
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  });

  async function suggest(): Promise<void> {
    const name = typed.trim();
    if (name === "") return fail(CATEGORY_TEXTS.required);
    const draft = { id: `${PENDING}${name}`, name: `${name} (pending)` };
    onAdd((last) => [...last, draft]);
    close();
    onChoose(draft.id, false);
    const answer = await send(name);
    const category = answer.ok ? answer.category : answer.known;
    onAdd((last) => [...last.filter(({ id }) => id !== draft.id), ...(category ? [category] : [])]);
    // The seller may have chosen another one meanwhile.
    if (latest.current === draft.id) onChoose(category?.id ?? chosen);
    if (answer.ok) return toast.success(CATEGORY_TEXTS.added);
    if (answer.known) return toast.info(`${answer.error}: ${answer.known.name}`);
    setTyped(name);
    onOpen(true);
    fail(answer.error);
    toast.error(answer.error);
  }
  function close(): void {
    setTyped("");
    setError(null);
    onOpen(false);
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
  if (!isOpen) return null;
  return (
    <div className="category-field__suggestion">
      <div className="row">
        <TextField
          id={fieldId}
          ref={input}
          className="grow"
          aria-label="Name of the new category"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          placeholder="For example, Music"
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
        <Button variant="soft" onClick={() => void suggest()}>
          Add
        </Button>
        <Button variant="ghost" onClick={close}>
          Cancel
        </Button>
      </div>
      {error && <FieldError id={errorId} message={error} />}
    </div>
  );
}

async function send(name: string): Promise<CategoryAnswer> {
  return (await postForm<CategoryAnswer>("/categories", { name })) ?? { ok: false, error: CATEGORY_TEXTS.failed };
}
