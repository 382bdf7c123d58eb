import { useEffect } from "react";
import { toast } from "./toast.ts";

/** What an action answers a form with. */
export interface ActionResult {
  ok: boolean;
  message: string;
}

/** Says what a form's action answered; a new object is a new answer. */
export function useResultToast(result: ActionResult | null | undefined): void {
  useEffect(() => {
    if (!result) return;
    if (result.ok) toast.success(result.message);
    else toast.error(result.message);
  }, [result]);
}
