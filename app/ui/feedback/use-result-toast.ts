import { useEffect } from "react";
import { noteNotSent } from "#app/ui/forms/sent-forms.ts";
import { toast } from "./toast.ts";

/** An action's answer to a form. */
export interface ActionResult {
  ok: boolean;
  message: string;
}

/** Shows the answer of a form's action in a toast. A new object is a new answer. */
export function useResultToast(result: ActionResult | null | undefined): void {
  useEffect(() => {
    if (!result) return;
    if (result.ok) toast.success(result.message);
    else refuse(result.message);
  }, [result]);
}

/**
 * Also says in a toast why a press changed nothing, on a long page whose message may be out of sight. A new `answer` is
 * a new failure.
 */
export function useFailureToast(answer: object | null, failure: string | null | undefined): void {
  useEffect(() => {
    if (answer && failure) refuse(failure);
  }, [answer, failure]);
}

/** The toast stands outside the form, which is kept. */
function refuse(message: string): void {
  noteNotSent();
  toast.error(message);
}
