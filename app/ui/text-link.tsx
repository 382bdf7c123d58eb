import { Link } from "react-router";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={classNames("text-link", className)} />;
}
