import { useNavigation } from "react-router";
import { Button, type ButtonProps } from "./button.tsx";

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
  const waiting = busy ?? sending;
  return (
    <Button size="large" wide {...rest} type="submit" busy={waiting}>
      {waiting ? busyLabel : children}
    </Button>
  );
}
