import { useEffect } from "react";
import { useFetcher } from "react-router";
import { useSaves } from "#app/ui/forms/use-saves.ts";
import { AdminForm, type AdminFormProps } from "./admin-form.tsx";

/** A form that adds something. Its own save empties it, and nothing else that changes the page. */
export function AddingForm(form: AdminFormProps) {
  // The form's own fetcher.
  const { state, data, reset } = useFetcher({ key: `${form.intent}:${form.subject}` });
  const saves = useSaves(state !== "idle", data);
  useEffect(() => {
    // The new form has none of the old one's errors.
    if (saves > 0) reset();
  }, [saves, reset]);
  return <AdminForm key={saves} {...form} />;
}
