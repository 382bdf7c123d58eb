import { type ComponentProps, useRef, useState } from "react";
import type { FetcherWithComponents } from "react-router";
import { ConfirmDialog, type ConfirmDialogProps } from "#app/ui/layers/dialog.tsx";
import { ConfirmTick } from "./confirm-tick.tsx";
import { useSubmitConfirmation } from "./use-submit-confirmation.ts";

/** The question of a press that ends something for good. */
export type Question = Pick<
  ConfirmDialogProps,
  "title" | "description" | "confirmLabel" | "cancelLabel" | "destructive"
>;

interface AskingFormProps extends Omit<ComponentProps<FetcherWithComponents<unknown>["Form"]>, "ref" | "onSubmit"> {
  fetcher: FetcherWithComponents<unknown>;
  /** Asked before the form is sent: in a dialog, or by a tick where no script runs. */
  confirm?: Question | undefined;
}

/** A form of a fetcher. With `confirm` it asks first. */
export function AskingForm({ fetcher, confirm, children, ...form }: AskingFormProps) {
  const ref = useRef<HTMLFormElement>(null);
  const [asking, setAsking] = useState(false);
  const confirmation = useSubmitConfirmation(ref, () => setAsking(true));
  return (
    <>
      <fetcher.Form {...form} method="post" ref={ref} onSubmit={confirm && confirmation.onSubmit}>
        {confirm && <ConfirmTick {...confirm} />}
        {children}
      </fetcher.Form>
      {confirm && (
        <ConfirmDialog {...confirm} open={asking} onOpenChange={setAsking} onConfirm={confirmation.confirm} />
      )}
    </>
  );
}
