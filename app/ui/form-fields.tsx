import "./styles/radix-text-area.css";
import { useState, type ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
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
          className="text-field__button"
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
export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <div className={classNames("rt-TextAreaRoot rt-r-size-3 rt-variant-surface", className)}>
      <textarea rows={4} {...rest} className="rt-reset rt-TextAreaInput" />
    </div>
  );
}

/** The browser's own select, styled like a text field. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <div className={classNames("select rt-TextFieldRoot rt-r-size-3 rt-variant-surface", className)}>
      <select {...rest} className="rt-reset rt-TextFieldInput">
        {children}
      </select>
      <Icon name="chevron-down" />
    </div>
  );
}
