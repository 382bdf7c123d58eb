/** Photos as large as the screen, to be zoomed with two fingers, the wheel or a double tap: a chunk of its own, fetched when the first one opens. */
import "photoswipe/style.css";
import "./lightbox.css";
import PhotoSwipe from "photoswipe";
import { imageSources, largestPath, type ShownImage } from "#app/catalogue/image-sources.ts";
import { openLayer } from "#app/ui/use-back-to-close.ts";

interface Opening {
  images: readonly ShownImage[];
  /** Which of them to begin with. */
  index: number;
  /** What is on them. */
  name: string;
  /** Where the photos stand in the page, in the same order: the large one grows out of the small one. */
  elements: readonly (HTMLElement | null)[];
  /** Called as another photo comes up. */
  onChange: (index: number) => void;
}

/** Opens over the page; Back, Escape, a press beside the photo or a swipe down close it, and the focus goes to the photo seen last. */
export function openLightbox({ images, index, name, elements, onChange }: Opening): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
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
    // Giving it back to the photo that opened it would scroll there.
    returnFocus: false,
    bgOpacity: 0.94,
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
  lightbox.on("change", () => onChange(lightbox.currIndex));
  lightbox.init();
  closeOnBack(lightbox);
}

/** The phone's Back closes it, once it has opened. */
function closeOnBack(lightbox: PhotoSwipe): void {
  const giveUp = openLayer(() => {
    if (lightbox.opener.isOpening) lightbox.on("openingAnimationEnd", () => lightbox.close());
    else lightbox.close();
  });
  lightbox.on("destroy", giveUp);
}
