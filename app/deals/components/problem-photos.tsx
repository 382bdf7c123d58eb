import "./deals.css";
import { type MouseEvent, useRef } from "react";
import { imageSources, largestPath, type ShownImage } from "#app/catalogue/image-sources.ts";
import { Photo } from "#app/ui/photo.tsx";

function loadLightbox() {
  return import("#app/catalogue/components/lightbox.ts");
}

/** The photos of a reported problem. Each opens large. Without scripts it links to its file. */
export function ProblemPhotos({ images, name }: { images: readonly ShownImage[]; name: string }) {
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
    <ul ref={list} className="problem-photos" role="list" aria-label="Photos of the problem">
      {images.map((image, index) => (
        <li key={image.key}>
          <a
            className="problem-photos__link"
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
