import type { ComponentProps, ReactNode } from "react";
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
    <div className={classNames("text-field rt-TextFieldRoot rt-r-size-3 rt-variant-surface", className)}>
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
