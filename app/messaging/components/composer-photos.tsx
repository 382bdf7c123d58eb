import { useEffect, useEffectEvent, useState } from "react";
import { keepPhotos, readKeptPhotos } from "#app/catalogue/photos/kept-photos.ts";
import { photoPath } from "#app/catalogue/photos/image-sources.ts";
import { finishedImages, type FormPhoto, isUnderWay } from "#app/catalogue/photos/photo-list.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { MESSAGE_PHOTOS_MAX } from "#app/messaging/message-rules.ts";
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/forms/field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";

/** The photos of a message that is being written, as its box knows them. */
export interface MessagePhotos {
  count: number;
  /** Those that are uploaded, in order. */
  images: readonly ProductImage[];
  /** Some were just chosen, or are still uploading. */
  busy: boolean;
}

interface ComposerPhotosProps {
  /** The name in the tab's storage of photos that wait to be sent. */
  keptAs: string;
  /** The files that were chosen last. */
  files: readonly File[];
  onChange: (photos: MessagePhotos) => void;
}

/** The photos to send, each with its upload's progress. The tab keeps those that are uploaded. */
export function ComposerPhotos({ keptAs, files, onChange }: ComposerPhotosProps) {
  const [kept] = useState(() => readKeptPhotos(readPrivate("tab", keptAs), Date.now()));
  const photos = usePhotos({ initial: kept.map(({ image }) => image), max: MESSAGE_PHOTOS_MAX });
  const { list } = photos;
  const add = useEffectEvent(photos.add);
  useEffect(() => add(files), [files]);
  const tell = useEffectEvent((shown: readonly FormPhoto[]) => {
    const images = finishedImages(shown);
    onChange({ count: shown.length, images, busy: shown.some(isUnderWay) });
    const now = Date.now();
    const keep = keepPhotos(images, readKeptPhotos(readPrivate("tab", keptAs), now), now);
    writePrivate("tab", keptAs, keep.length > 0 ? keep : null);
  });
  const [before] = useState(list);
  // The list of before the first files were added says nothing: the box would send without them.
  useEffect(() => {
    if (list !== before) tell(list);
  }, [list, before]);
  const failure = list.find(({ upload }) => upload.phase === "failed")?.upload;
  if (list.length === 0 && photos.refused.length === 0) return null;
  return (
    <>
      <ul className="composer__photos" role="list" aria-label="Photos in this message">
        {list.map((photo, at) => (
          <li key={photo.id} className={classNames("composer__photo", isUnderWay(photo) && "composer__photo--busy")}>
            <img src={addressOf(photo)} alt={photo.name || `Photo ${at + 1}`} />
            {photo.upload.phase === "sending" && (
              <progress value={photo.upload.share} aria-label={`Uploading photo ${at + 1}`} />
            )}
            <button type="button" aria-label={`Remove photo ${at + 1}`} onClick={() => photos.remove(photo.id)}>
              <Icon name="x" size="small" />
            </button>
          </li>
        ))}
      </ul>
      {failure?.phase === "failed" && <FieldError message={failure.error} />}
      {photos.refused.map((refusal) => (
        <FieldError key={refusal} message={refusal} />
      ))}
      <LiveRegion text={photos.said} />
    </>
  );
}

function addressOf({ preview, upload }: FormPhoto): string {
  if (preview) return preview;
  return upload.phase === "done"
    ? photoPath(upload.image, upload.image.widths[0] ?? upload.image.width)
    : "/art/no-photo.svg";
}
