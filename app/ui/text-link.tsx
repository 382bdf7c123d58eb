import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Link } from "./link.tsx";

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={classNames("text-link", className)} />;
}
