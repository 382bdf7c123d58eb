import "#app/catalogue/product/components/product.css";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { smoothly } from "#app/ui/browser/motion.ts";
import { imageSources, largestPath, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { enlarge, prepareLightbox } from "./enlarge.ts";

interface PhotoGalleryProps {
  /** The first is the cover. */
  images: readonly ShownImage[];
  /** The name of the product, for labels. */
  name: string;
  /** On the photo: the ways out of the page at the left, and what one does with the product at the right. */
  back: ReactNode;
  tools: ReactNode;
}

const SIZES = "(max-width: 768px) 100vw, 600px";

/**
 * A product's photos. People swipe them, choose them by thumbnail or arrow key, and open them large. Without scripts a
 * photo links to its file.
 */
export function PhotoGallery({ images, name, back, tools }: PhotoGalleryProps) {
  const track = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);

  function slides(): HTMLElement[] {
    return [...(track.current?.querySelectorAll<HTMLElement>(".gallery__slide") ?? [])];
  }
  function show(index: number, behavior = smoothly()) {
    const slide = slides()[index];
    if (!slide || !track.current) return;
    track.current.scrollTo({ left: slide.offsetLeft, behavior });
  }
  function turn(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = shown + (step ?? 0);
    if (!step || !images[next]) return;
    event.preventDefault();
    show(next);
    slides()[next]?.querySelector("a")?.focus({ preventScroll: true });
  }

  const cover = images[0];
  return (
    <div className="gallery">
      <div className="gallery__stage" style={{ aspectRatio: cover ? stageRatio(cover) : 1 }}>
        {cover ? (
          <ul
            className="gallery__track"
            role="list"
            aria-label={`Photos of ${name}`}
            ref={track}
            onScroll={({ currentTarget }) =>
              setShown(Math.round(currentTarget.scrollLeft / Math.max(1, currentTarget.clientWidth)))
            }
          >
            {images.map((image, index) => (
              <li key={image.key} className="gallery__slide">
                <a
                  className="gallery__link"
                  href={largestPath(image)}
                  aria-label={images.length > 1 ? `Enlarge photo ${index + 1} of ${images.length}` : "Enlarge photo"}
                  onPointerEnter={prepareLightbox}
                  onFocus={prepareLightbox}
                  onKeyDown={turn}
                  onClick={(event) =>
                    void enlarge(event, {
                      images,
                      index,
                      name,
                      elements: slides(),
                      onChange: (place) => show(place, "instant"),
                    })
                  }
                >
                  <Photo
                    {...imageSources(image, SIZES)}
                    alt={index === 0 ? name : ""}
                    fill
                    flat
                    detailed
                    priority={index === 0}
                  />
                </a>
              </li>
            ))}
          </ul>
        ) : (
          <Photo alt={name} fill flat />
        )}
        <div className="gallery__back">{back}</div>
        <div className="gallery__tools">{tools}</div>
      </div>
      {images.length > 1 && <Thumbs images={images} shown={shown} onChoose={show} />}
    </div>
  );
}

interface ThumbsProps {
  images: readonly ShownImage[];
  /** The index of the photo that is shown large. */
  shown: number;
  onChoose: (index: number) => void;
}

function Thumbs({ images, shown, onChoose }: ThumbsProps) {
  return (
    <ul className="gallery__thumbs scripted" role="list" aria-label="All photos">
      {images.map((image, index) => (
        <li key={image.key}>
          <button
            type="button"
            className="gallery__thumb"
            aria-label={`Show photo ${index + 1} of ${images.length}`}
            aria-current={index === shown || undefined}
            onClick={() => onChoose(index)}
          >
            <Photo {...imageSources(image, "64px")} alt="" fill flat />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The cover's aspect ratio, within limits. All photos are cropped to it. */
function stageRatio({ width, height }: ShownImage): number {
  return Math.min(1.4, Math.max(0.75, width / height));
}
