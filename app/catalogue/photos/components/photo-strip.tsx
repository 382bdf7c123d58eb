import "./photo-strip.css";
import { useRef } from "react";
import { imageSources, largestPath, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { enlarge, prepareLightbox } from "./enlarge.ts";

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

  const elements = () => [...(list.current?.querySelectorAll<HTMLElement>("li") ?? [])];
  return (
    <ul ref={list} className="photo-strip" role="list" aria-label={label}>
      {images.map((image, index) => (
        <li key={image.key}>
          <a
            className="photo-strip__link"
            href={largestPath(image)}
            aria-label={`Enlarge photo ${index + 1} of ${images.length}`}
            onPointerEnter={prepareLightbox}
            onClick={(event) => void enlarge(event, { images, index, name, elements: elements() })}
          >
            <Photo {...imageSources(image, "120px")} alt="" fill />
          </a>
        </li>
      ))}
    </ul>
  );
}
