import { imageSources, type ShownImage } from "#app/catalogue/photos/image-sources.ts";

interface PublicPhoto {
  /** The rendered width, in CSS syntax. */
  sizes: string;
  /**
   * Whether this page saves mobile data. Then there is one variant: the smallest, or a clear one where it is
   * `detailed`.
   */
  saver: boolean;
  /** People judge the product by it. */
  detailed?: boolean;
  /** Visible without scrolling. */
  priority?: boolean | undefined;
}

/** The attributes of an `img` on a public page, which has no script to replace a photo that can't be loaded. */
export function publicPhoto(image: ShownImage | null, { sizes, saver, detailed, priority }: PublicPhoto) {
  const { tone, ...sources } = { tone: null, srcSet: undefined, ...imageSources(image, sizes) };
  const style = tone ? { background: tone } : undefined;
  const src = sources.src ?? "/art/no-photo.svg";
  if (!saver) return { ...sources, src, style, loading: priority ? "eager" : "lazy", decoding: "async" } as const;
  const smallest = sources.srcSet?.split(" ")[0] ?? src;
  return {
    ...sources,
    src: detailed ? src : smallest,
    srcSet: undefined,
    sizes: undefined,
    style,
    loading: "lazy",
    decoding: "async",
  } as const;
}
