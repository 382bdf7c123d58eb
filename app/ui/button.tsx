import { Link } from "react-router";
import type { ComponentProps } from "react";
import { asOneWithWholeAmounts } from "./amounts.tsx";
import { classNames } from "./class-names.ts";
import { Icon } from "./pictures/icon.tsx";
import type { IconName } from "./pictures/icon-names.ts";
import { Spinner } from "./feedback/spinner.tsx";

interface Look {
  /**
   * solid: the main action, one a screen. soft: what else can be done. ghost: what few people need, or what stands
   * within text.
   */
  variant?: "solid" | "soft" | "ghost";
  /** Without it 48 px at the usual text size. small is 36 px, or 44 on touch screens. */
  size?: "small" | undefined;
  /** For what can't be undone. */
  danger?: boolean | undefined;
  wide?: boolean;
}

/** The classes that make another element look like a button. */
export function buttonClass({ variant = "solid", size, danger, wide }: Look, className?: string): string {
  return classNames(
    "button",
    `button--${variant}`,
    size && `button--${size}`,
    danger && "button--danger",
    wide && "button--wide",
    className,
  );
}

export interface ButtonProps extends Look, Omit<ComponentProps<"button">, "color"> {
  icon?: IconName;
  /** Shows a spinner, announces that it is busy and ignores presses, but keeps the focus. */
  busy?: boolean;
}

/** A button. `type` is "button" by default. */
export function Button({
  variant,
  size,
  danger,
  wide,
  icon,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size, danger, wide }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {asOneWithWholeAmounts(children)}
    </button>
  );
}

export interface LinkButtonProps extends Look, ComponentProps<typeof Link> {
  icon?: IconName;
}

/** A link that looks like a button. It is an anchor, because it leads somewhere. */
export function LinkButton({ variant, size, danger, wide, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, danger, wide }, className)}>
      {icon && <Icon name={icon} />}
      {asOneWithWholeAmounts(children)}
    </Link>
  );
}

export interface IconButtonProps extends Pick<Look, "variant">, Omit<ComponentProps<"button">, "color" | "children"> {
  icon: IconName;
  /** The accessible name. */
  label: string;
}

/** A round button with only an icon. */
export function IconButton({ variant = "soft", icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant }, classNames("icon-button", className))}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </button>
  );
}
