import { useRef, useState } from "react";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TWO_STEP_TEXTS } from "#app/accounts/two-step/two-step-rules.ts";

interface PasskeyButtonProps extends Pick<ButtonProps, "variant" | "children"> {
  /** The field of its form that gets the passkey's answer. */
  name: string;
  /** Asks the browser. Throws where nobody answers. */
  ask(): Promise<string>;
}

/** Asks for a passkey and sends its form with the answer. Without scripts there are no passkeys, and no button. */
export function PasskeyButton({ name, ask, variant, children }: PasskeyButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const scripted = useScripted();
  async function press() {
    if (!("credentials" in navigator)) return setError(TWO_STEP_TEXTS.unsupported);
    setBusy(true);
    setError(undefined);
    try {
      const answer = await ask();
      if (!field.current) return;
      field.current.value = answer;
      field.current.form?.requestSubmit();
      field.current.value = "";
    } catch {
      setError(TWO_STEP_TEXTS.cancelled);
    } finally {
      setBusy(false);
    }
  }
  if (!scripted) return null;
  return (
    <>
      <FormError error={error} />
      <input ref={field} type="hidden" name={name} />
      <Button wide variant={variant} icon="shield-check" busy={busy} onClick={() => void press()}>
        {children}
      </Button>
    </>
  );
}
