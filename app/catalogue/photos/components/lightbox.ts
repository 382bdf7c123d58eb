/**
 * Shows photos as large as the screen, with zoom by two fingers, the wheel or a double tap. A chunk of its own, loaded
 * when the first photo opens.
 */
import "photoswipe/style.css";
import "./lightbox.css";
import PhotoSwipe from "photoswipe";
import { LESS_MOTION } from "#app/ui/browser/motion.ts";
import { imageSources, largestPath, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { openLayer } from "#app/ui/layers/use-back-to-close.ts";

export interface LightboxOptions {
  images: readonly ShownImage[];
  /** Index of the first photo to show. */
  index: number;
  /** The name of the product, for labels. */
  name: string;
  /** The photos' elements in the page, in the same order. The large photo grows out of the small one. */
  elements: readonly (HTMLElement | null)[];
  /** Called when another photo is shown. */
  onChange?: (index: number) => void;
}

/**
 * Opens over the page. Back, Escape, a press next to the photo and a swipe down close it. The focus then moves to the
 * photo seen last.
 */
export function openLightbox({ images, index, name, elements, onChange }: LightboxOptions): void {
  const still = matchMedia(LESS_MOTION).matches;
  const lightbox = new PhotoSwipe({
    dataSource: images.map((image, place) => {
      const { src, srcSet } = imageSources(image, "100vw");
      return {
        src: largestPath(image),
        srcset: srcSet,
        msrc: src ?? undefined,
        width: image.width,
        height: image.height,
        alt: images.length > 1 ? `${name}, photo ${place + 1} of ${images.length}` : name,
        element: elements[place] ?? undefined,
        thumbCropped: true,
      };
    }),
    index,
    // Returning the focus to the photo that opened it would scroll there.
    returnFocus: false,
    bgOpacity: 1,
    showHideAnimationType: still ? "none" : "zoom",
    zoomAnimationDuration: still ? 0 : 250,
    secondaryZoomLevel: (level) => level.fit * 2.5,
    maxZoomLevel: (level) => Math.max(level.fit * 4, 1.5),
    closeTitle: "Close",
    zoomTitle: "Zoom",
    arrowPrevTitle: "Previous photo",
    arrowNextTitle: "Next photo",
    errorMsg: "This photo can't be loaded.",
  });
  lightbox.on("bindEvents", () => lightbox.element?.setAttribute("aria-label", `Photos of ${name}`));
  lightbox.on("destroy", () => elements[lightbox.currIndex]?.querySelector("a")?.focus({ preventScroll: true }));
  lightbox.on("change", () => onChange?.(lightbox.currIndex));
  lightbox.init();
  closeOnBack(lightbox);
}

/** The phone's Back button closes it once it has opened. */
function closeOnBack(lightbox: PhotoSwipe): void {
  const giveUp = openLayer(() => {
    if (lightbox.opener.isOpening) lightbox.on("openingAnimationEnd", () => lightbox.close());
    else lightbox.close();
  });
  lightbox.on("destroy", giveUp);
}
