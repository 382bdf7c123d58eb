import { type CSSProperties, useState } from "react";
import { classNames } from "./class-names.ts";

interface PhotoProps {
  /** Nothing shows the designed placeholder. */
  src?: string | null;
  srcSet?: string;
  /** Rendered width for the browser's choice among srcSet. */
  sizes?: string;
  alt: string;
  /** Pixel size of the original: keeps the space. */
  width?: number;
  height?: number;
  /** Its dominant colour, or a wash of two, shown until it arrives. */
  tone?: string | null;
  /** For the photo that is the largest paint: loaded at once. */
  priority?: boolean;
  /** Fills its box instead of keeping its own ratio. */
  fill?: boolean;
  /** No rounded corners. */
  flat?: boolean;
}

const photoPlaceholder = "/art/no-photo.svg";

/** A photo in a reserved, tinted box; a photo that cannot be loaded gives way to the placeholder. */
export function Photo({ src, srcSet, sizes, alt, width, height, tone, priority, fill, flat }: PhotoProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  const shown = src && src !== failedSrc ? src : photoPlaceholder;
  const fail = () => setFailedSrc(src ?? undefined);
  const style: CSSProperties & Partial<Record<"--photo-tone" | "--photo-ratio", string>> = {
    ...(tone && { "--photo-tone": tone }),
    ...(width && height && { "--photo-ratio": `${width} / ${height}` }),
  };
  return (
    <span className={classNames("photo", fill && "photo--fill", flat && "photo--flat")} style={style}>
      <img
        className="photo__image"
        src={shown}
        srcSet={shown === src ? srcSet : undefined}
        sizes={shown === src ? sizes : undefined}
        alt={alt}
        width={width}
        height={height}
        loading={priority ? "eager" : "lazy"}
        fetchPriority={priority ? "high" : undefined}
        decoding="async"
        onError={fail}
        ref={(image) => {
          // The photo may have failed before this script ran, when nobody listened.
          if (image?.complete && image.naturalWidth === 0 && shown === src) fail();
        }}
      />
    </span>
  );
}
