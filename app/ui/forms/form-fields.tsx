import { useLayoutEffect, useRef, useState, type ComponentProps, type ComponentPropsWithoutRef } from "react";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { useControl } from "./control.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

/** A password with a button that shows or hides it. */
export function PasswordField(props: Omit<TextFieldProps, "type" | "after">) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? "text" : "password"}
      after={
        <button
          type="button"
          className="text-field__button scripted"
          aria-label={shown ? "Hide password" : "Show password"}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? "eye-off" : "eye"} />
        </button>
      }
    />
  );
}

/** Several lines of text. */
export function TextArea(props: Omit<ComponentPropsWithoutRef<"textarea">, "className">) {
  const area = useRef<HTMLTextAreaElement & { typed?: string }>(null);
  // A layout effect runs before the next key is pressed. That key would be noted in the place of what was typed before.
  useLayoutEffect(() => {
    // What they typed before this script came. EarlyScript noted it, because React writes the server's text over it.
    const typed = area.current?.typed;
    if (area.current && typed !== undefined) area.current.value = typed;
  }, []);
  return <textarea ref={area} rows={4} {...useControl()} {...props} className="text-area" />;
}

/** The browser's own select, styled like a text field. */
export function Select(props: Omit<ComponentProps<"select">, "className">) {
  return (
    <div className="text-field select">
      <select {...useControl()} {...props} />
      <Icon name="chevron-down" />
    </div>
  );
}

/** The options of a select or of a group in it: a thing's id is sent, and its name is read. */
export function NamedOptions({ of }: { of: readonly { id: string; name: string }[] }) {
  return of.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}
