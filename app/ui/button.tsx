import { Link } from "react-router";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./pictures/icon.tsx";
import type { IconName } from "./pictures/icon-names.ts";
import { Spinner } from "./feedback/spinner.tsx";
import type { Tone } from "./tone.ts";

interface Look {
  /** solid: the main action. soft: next to it. outline: a third choice. ghost: within text. */
  variant?: "solid" | "soft" | "outline" | "ghost";
  /** At the usual text size, small is 36 px (44 on touch screens), medium 44 px, large 48 px. */
  size?: "small" | "medium" | "large";
  /** gold by default; gray for quiet actions, red for destructive ones. */
  tone?: Tone;
  wide?: boolean;
}

/** The classes that make another element look like a button. Its tone is a `data-accent-color`. */
export function buttonClass({ variant = "solid", size = "medium", wide }: Look, className?: string): string {
  return classNames("button", `button--${variant}`, `button--${size}`, wide && "button--wide", className);
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
  tone = "gold",
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
      className={buttonClass({ variant, size, wide }, className)}
      data-accent-color={tone}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface LinkButtonProps extends Look, ComponentProps<typeof Link> {
  icon?: IconName;
}

/** A link that looks like a button. It is an anchor, because it leads somewhere. */
export function LinkButton({
  variant,
  size,
  tone = "gold",
  wide,
  icon,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide }, className)} data-accent-color={tone}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

export interface IconButtonProps extends Look, Omit<ComponentProps<"button">, "color" | "children"> {
  icon: IconName;
  /** The accessible name. */
  label: string;
}

/** A round button with only an icon. By default gray, without a background. */
export function IconButton({
  variant = "soft",
  size,
  tone = "gray",
  icon,
  label,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size }, classNames("icon-button", className))}
      data-accent-color={tone}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </button>
  );
}
