import { classNames } from "#app/ui/class-names.ts";

/** A placeholder shape for content that is loading. Wrap a group in one element with aria-busy and a label. */
export function Skeleton({ shape, className }: { shape: "text" | "title" | "photo"; className?: string }) {
  return <span className={classNames("skeleton", `skeleton--${shape}`, className)} aria-hidden="true" />;
}
