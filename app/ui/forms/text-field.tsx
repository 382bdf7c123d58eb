import type { ComponentProps, ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { useControl } from "./control.ts";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "size"> {
  icon?: IconName;
  /** A word before the text, such as "KES". */
  prefix?: string;
  /** Something after the text, such as a button. */
  after?: ReactNode;
}

/** One line of text. */
export function TextField({ icon, prefix, after, className, ...rest }: TextFieldProps) {
  return (
    <div className={classNames("text-field", className)}>
      {(icon || prefix) && <div className="text-field__side">{icon ? <Icon name={icon} /> : prefix}</div>}
      <input {...useControl()} {...rest} />
      {after && <div className="text-field__side">{after}</div>}
    </div>
  );
}
