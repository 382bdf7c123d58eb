import { useState } from "react";

interface FormKeyProps {
  /** A new one with each load of the page. */
  value: string;
  /** The answer by which the form was done, if it stays for the next time. */
  done?: object | null;
}

/**
 * The key under which a form is done once, however often it is sent. When the page reloads its data, the form stays,
 * and so does its key. A form that comes again, or stays when it is done, has another.
 */
export function FormKey({ value, done = null }: FormKeyProps) {
  const [own, setOwn] = useState({ value, done });
  if (done && done !== own.done && value !== own.value) setOwn({ value, done });
  return <input type="hidden" name="formKey" value={own.value} />;
}
