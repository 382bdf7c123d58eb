import type { CSSProperties } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { useFailedSource } from "./use-failed-source.ts";

interface PhotoProps {
  /** Undefined shows the placeholder. */
  src?: string | null;
  /** Its variants with their widths, smallest first. */
  srcSet?: string;
  /** The rendered width, for the browser's choice from srcSet. */
  sizes?: string;
  alt: string;
  /** The original's size in px, which reserves the space. */
  width?: number;
  height?: number;
  /** Its dominant colour or a gradient of two, shown until it loads. */
  tone?: string | null;
  /** Data saver shows it at the size of `src`, not in its smallest variant. */
  detailed?: boolean;
  /** Whether it is the largest photo in view. Then it loads at once, except with Data saver. */
  priority?: boolean;
  /** Fills its box instead of keeping its own ratio. */
  fill?: boolean;
  /** No rounded corners. */
  flat?: boolean;
  /** Without a box of its own, which saves an element: the card of a grid is its box. */
  bare?: boolean;
}

const photoPlaceholder = "/art/no-photo.svg";

/** A photo in a reserved, tinted box. One that can't be loaded is replaced by the placeholder. */
export function Photo({
  src,
  srcSet,
  sizes,
  alt,
  width,
  height,
  tone,
  detailed,
  priority,
  fill,
  flat,
  bare,
}: PhotoProps) {
  const saver = useDataSaver();
  const wanted = (saver && !detailed && sizes && srcSet?.split(" ")[0]) || src;
  const { isFailed, image: failing } = useFailedSource(wanted);
  const shown = wanted && !isFailed ? wanted : photoPlaceholder;
  const eager = priority && !saver;
  const style: CSSProperties & Partial<Record<"--photo-tone" | "--photo-ratio", string>> = {
    ...(tone && { "--photo-tone": tone }),
    ...(width && height && { "--photo-ratio": `${width} / ${height}` }),
  };
  const image = (
    <img
      className={bare ? "photo" : "photo__image"}
      style={bare ? style : undefined}
      src={shown}
      srcSet={shown === wanted && !saver ? srcSet : undefined}
      sizes={shown === wanted && !saver ? sizes : undefined}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? "eager" : "lazy"}
      fetchPriority={eager ? "high" : undefined}
      {...failing}
    />
  );
  if (bare) return image;
  return (
    <span className={classNames("photo", fill && "photo--fill", flat && "photo--flat")} style={style}>
      {image}
    </span>
  );
}
