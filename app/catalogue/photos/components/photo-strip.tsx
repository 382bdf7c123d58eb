import "./photo-strip.css";
import { type MouseEvent, useRef } from "react";
import { imageSources, largestPath, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";

function loadLightbox() {
  return import("./lightbox.ts");
}

interface PhotoStripProps {
  images: readonly ShownImage[];
  /** Names the list. */
  label: string;
  /** What the photos show, for the large view. */
  name: string;
}

/** A row of small photos. Each opens large. Without scripts it links to its file. */
export function PhotoStrip({ images, label, name }: PhotoStripProps) {
  const list = useRef<HTMLUListElement>(null);
  if (images.length === 0) return null;

  async function enlarge(event: MouseEvent<HTMLAnchorElement>, index: number) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    try {
      const { openLightbox } = await loadLightbox();
      const elements = [...(list.current?.querySelectorAll<HTMLElement>("li") ?? [])];
      openLightbox({ images, index, name, elements, onChange: () => {} });
    } catch {
      location.assign(href);
    }
  }
  return (
    <ul ref={list} className="photo-strip" role="list" aria-label={label}>
      {images.map((image, index) => (
        <li key={image.key}>
          <a
            className="photo-strip__link"
            href={largestPath(image)}
            aria-label={`Enlarge photo ${index + 1} of ${images.length}`}
            onPointerEnter={() => void loadLightbox().catch(() => undefined)}
            onClick={(event) => void enlarge(event, index)}
          >
            <Photo {...imageSources(image, "120px")} alt="" fill />
          </a>
        </li>
      ))}
    </ul>
  );
}
