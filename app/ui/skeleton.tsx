import { classNames } from "./class-names.ts";

/** A breathing shape of what comes. Wrap a group of them in one element with aria-busy and a label. */
export function Skeleton({ shape, className }: { shape: "text" | "title" | "photo"; className?: string }) {
  return <span className={classNames("skeleton", `skeleton--${shape}`, className)} aria-hidden="true" />;
}
