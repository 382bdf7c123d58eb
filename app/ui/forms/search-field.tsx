import { useEffect, useRef } from "react";
import { useNavigationType } from "react-router";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface SearchFieldProps extends Omit<TextFieldProps, "defaultValue"> {
  /** What the screen shows the results of, as the address has it. */
  text: string;
}

/** The field of a search: `text`, or what somebody is typing. */
export function SearchField({ text, ...rest }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef(text);
  const isBack = useNavigationType() === "POP";
  useEffect(() => {
    if (!field.current || shown.current === text) return;
    shown.current = text;
    // Somebody may be typing the next search when the results of the last one arrive. Back leaves the focus where it
    // is.
    if (isBack || field.current !== document.activeElement) field.current.value = text;
  }, [text, isBack]);
  return <TextField ref={field} type="search" name="q" autoComplete="off" defaultValue={text} {...rest} />;
}
