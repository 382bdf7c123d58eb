import { useState, type ComponentProps, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "size"> {
  icon?: IconName;
  /** A word before the text, such as "KES". */
  prefix?: string;
  /** Something after the text, such as a button. */
  after?: ReactNode;
}

/** One line of text, 48 px high, in Radix's field. */
export function TextField({ icon, prefix, after, className, ...rest }: TextFieldProps) {
  return (
    <div className={classNames("rt-TextFieldRoot rt-r-size-3 rt-variant-surface", className)}>
      <input {...rest} className="rt-reset rt-TextFieldInput" />
      {(icon || prefix) && (
        <div className="rt-TextFieldSlot" data-side="left">
          {icon ? <Icon name={icon} /> : prefix}
        </div>
      )}
      {after && (
        <div className="rt-TextFieldSlot" data-side="right">
          {after}
        </div>
      )}
    </div>
  );
}

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

/** The phone's own picker, in the look of a text field. */
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
