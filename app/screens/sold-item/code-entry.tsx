import { type RefObject, Suspense, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { useLeadToStep } from "#app/deals/components/use-lead-to-step.ts";
import type { CalledSteps } from "#app/deals/words/deal-summary.server.ts";
import { CODE_FIELD_LENGTH } from "#app/ui/forms/code-field.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import type { SoldItemAnswer } from "./sold-item-answer.ts";

/** Loaded when the seller opens the camera. */
const CodeScanner = lazyPart(async () => (await import("./code-scanner.tsx")).CodeScanner);

/** What was being typed when the field moved to another place of the page, with the next step. */
export interface TypedCode {
  value: string;
  hadFocus: boolean;
}

export interface CodeEntryProps {
  itemId: string;
  isFree: boolean;
  called: Pick<CalledSteps, "confirm" | "against">;
  /** The main action of the page. It stands where the page says so. */
  isMain: boolean;
  /** The answer to the form, sent without scripts. */
  result: SoldItemAnswer | null;
  typed: RefObject<TypedCode | null>;
}

/** Enters the buyer's handover code: typed, or read by the camera where the browser can. */
export function CodeEntry({ itemId, isFree, called, isMain, result, typed }: CodeEntryProps) {
  const fetcher = useFetcher<SoldItemAnswer>();
  const answer = fetcher.data ?? result;
  const errors = useFieldErrors(useMemo(() => (answer?.codeError ? { code: answer.codeError } : null), [answer]));
  const [scanning, setScanning] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const canScan = useScripted() && "BarcodeDetector" in window;
  // The error of a wrong code stands at the field.
  useResultToast(fetcher.data?.codeError ? null : fetcher.data);
  useLeadToStep(itemId, fetcher);

  useLayoutEffect(() => {
    const own = field.current;
    if (own && typed.current) {
      own.value = typed.current.value;
      if (typed.current.hadFocus) own.focus();
    }
    return () => {
      if (own) typed.current = { value: own.value, hadFocus: document.activeElement === own };
    };
  }, [typed]);

  function onCode(code: string) {
    setScanning(false);
    if (field.current) field.current.value = code;
    errors.form.ref.current?.requestSubmit();
  }
  const why = (
    <p className="small quiet">
      {isFree
        ? "With it the sale is completed."
        : `${called.against} A message or a screenshot is no payment, and after the code nobody can take the money back.`}
    </p>
  );
  return (
    <section className="stack" aria-label="Handover code">
      <fetcher.Form method="post" className="stack" noValidate {...errors.form}>
        <input type="hidden" name="itemId" value={itemId} />
        <input type="hidden" name="intent" value="code" />
        <Field label="The buyer's code" error={errors.of("code")}>
          <TextField
            ref={field}
            name="code"
            inputMode="numeric"
            autoComplete="off"
            maxLength={CODE_FIELD_LENGTH}
            placeholder="123 456"
            defaultValue={answer?.typed}
          />
        </Field>
        <SubmitButton
          icon="package-check"
          variant={isMain ? "solid" : "soft"}
          busy={fetcher.state !== "idle"}
          busyLabel="Checking the code..."
        >
          {called.confirm}
        </SubmitButton>
      </fetcher.Form>
      {canScan && (
        <>
          <Button variant="soft" icon="camera" wide onClick={() => setScanning(true)}>
            Scan the Code
          </Button>
          <Dialog
            open={scanning}
            onOpenChange={setScanning}
            title="Scan the code"
            description="Point your camera at the QR code on the buyer's order page."
          >
            <Suspense fallback={<p role="status">Opening the camera...</p>}>
              <CodeScanner itemId={itemId} onCode={onCode} />
            </Suspense>
          </Dialog>
        </>
      )}
      {why}
    </section>
  );
}
