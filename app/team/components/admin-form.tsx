import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { ADMIN_TEXT_MAX } from "#app/team/admin-texts.ts";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { More } from "./page-parts.tsx";

export type FieldText = (field: string) => string | undefined;

export interface AdminFormProps extends Pick<ButtonProps, "variant" | "danger"> {
  /** The id of the thing that the form is about. */
  subject: string;
  intent: string;
  /** The last answer, for browsers without scripts. */
  answer: AdminFormAnswer | null;
  /** The label of the button. */
  label: ReactNode;
  /** For rare actions: the link that shows the form. */
  opener?: string;
  /** More hidden fields. */
  values?: Record<string, string>;
  /** `error` and `typed` tell, by its name, what is wrong with a field and what was typed into it before. */
  children?: (error: FieldText, typed: FieldText) => ReactNode;
}

/** One action on one thing: its fields and its button. It is sent without leaving the page. */
export function AdminForm({
  subject,
  intent,
  answer,
  label,
  danger,
  variant = "soft",
  opener,
  values,
  children,
}: AdminFormProps) {
  const name = `${intent}:${subject}`;
  const own = answer?.subject === name ? answer : null;
  const fetcher = useFetcher<AdminFormAnswer>({ key: name });
  const errors = useFieldErrors((fetcher.data ?? own)?.errors);
  const form = (
    <fetcher.Form method="post" noValidate {...errors.form} className="admin__form">
      {Object.entries({ subject: name, intent, ...values, id: subject }).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <FormError error={errors.of("form")} />
      {children?.(errors.of, (field) => own?.typed?.[field])}
      <Button type="submit" variant={variant} danger={danger} busy={fetcher.state !== "idle"}>
        {label}
      </Button>
    </fetcher.Form>
  );
  if (opener === undefined) return form;
  return (
    <More label={opener} open={own !== null}>
      {form}
    </More>
  );
}

interface WordsFormProps extends Omit<AdminFormProps, "children"> {
  field: string;
  title: string;
  hint?: string;
}

/** An action with a text. */
export function WordsForm({ field, title, hint, ...form }: WordsFormProps) {
  return (
    <AdminForm {...form}>
      {(error, typed) => (
        <Field label={title} hint={hint} error={error(field)}>
          <TextArea name={field} rows={2} maxLength={ADMIN_TEXT_MAX} defaultValue={typed(field)} />
        </Field>
      )}
    </AdminForm>
  );
}

export function NoteForm(form: Pick<WordsFormProps, "subject" | "answer">) {
  return (
    <WordsForm
      {...form}
      opener="Add a note"
      intent="note"
      field="note"
      title="Note"
      hint="Only admins can see this."
      label="Add Note"
    />
  );
}
