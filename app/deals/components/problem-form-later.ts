import "#app/ui/choice.css";
import "#app/catalogue/components/photo-field.css";
import { later } from "#app/ui/later.tsx";

/** `ProblemForm`, whose script loads when somebody begins to fill it in. */
export const ProblemForm = later(async () => (await import("./problem-form.tsx")).ProblemForm);
