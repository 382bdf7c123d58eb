import { type Fetcher, useNavigation } from "react-router";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";

interface SubmitButtonProps extends ButtonProps {
  /** The label while the form is being sent. */
  busyLabel: string;
}

/**
 * Submits its form and shows that it is being sent. With `name` and `value` it is busy only for its own intent. Forms
 * of a fetcher pass `busy` themselves.
 */
export function SubmitButton({ busyLabel, busy, children, ...rest }: SubmitButtonProps) {
  const navigation = useNavigation();
  const sending =
    navigation.formMethod !== undefined &&
    navigation.formMethod !== "GET" &&
    (!rest.name || navigation.formData?.get(rest.name) === rest.value);
  // A part whose script comes late starts with what the server rendered, even while a form is being sent.
  const isScripted = useScripted();
  const waiting = isScripted && (busy ?? sending);
  return (
    <Button wide {...rest} type="submit" busy={waiting}>
      {waiting ? busyLabel : children}
    </Button>
  );
}

/**
 * For each of several buttons of one fetcher, by the intent that it sends: the pressed one is busy and keeps the focus,
 * and the others can't be pressed meanwhile.
 */
export function pressOf({ state, formData }: Pick<Fetcher, "state" | "formData">, intent: string) {
  const busy = formData?.get("intent") === intent;
  return { busy, disabled: !busy && state !== "idle" };
}
