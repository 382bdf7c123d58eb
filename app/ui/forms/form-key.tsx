import { useState } from "react";

/**
 * The key under which a form is done once, however often it is sent. When the page reloads its data, the form stays,
 * and so does its key. A form that comes again has another.
 */
export function FormKey({ value }: { value: string }) {
  const [formKey] = useState(value);
  return <input type="hidden" name="formKey" value={formKey} />;
}
