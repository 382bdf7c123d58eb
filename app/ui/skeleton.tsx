import { classNames } from "./class-names.ts";

const shapes = { text: "skeleton--text", title: "skeleton--title", photo: "skeleton--photo" } as const;

/** A breathing shape of what comes. Wrap a group of them in one element with aria-busy and a label. */
export function Skeleton({ shape, className }: { shape: keyof typeof shapes; className?: string }) {
  return <span className={classNames("skeleton", shapes[shape], className)} aria-hidden="true" />;
}
