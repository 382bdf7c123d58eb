import "#app/ui/choice.css";
import "#app/catalogue/components/photo-field.css";
import { hasFormDraft } from "#app/ui/form-draft.ts";
import { later } from "#app/ui/later.tsx";

/** `ProblemForm`, whose script loads when somebody begins to fill it in, or has begun. */
export const ProblemForm = later(async () => (await import("./problem-form.tsx")).ProblemForm, {
  isWanted: hasFormDraft,
});
