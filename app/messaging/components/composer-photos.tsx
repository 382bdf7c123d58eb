import { photoPath } from "#app/catalogue/image-sources.ts";
import { isUnderWay, type FormPhoto } from "#app/catalogue/photo-list.ts";
import type { Photos } from "#app/catalogue/components/use-photos.ts";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LiveRegion } from "#app/ui/live-region.tsx";

/** The accepted types. For these, phones offer the camera or the gallery. */
const ACCEPT = "image/jpeg,image/png,image/webp,image/gif,image/avif";

/** Next to the box: adds photos to the message. */
export function AddPhotos({ full, onFiles }: { full: boolean; onFiles: (files: Iterable<File>) => void }) {
  return (
    <label className="composer__add" title="Add photos">
      <span className="visually-hidden">Add photos</span>
      <input
        className="visually-hidden"
        type="file"
        accept={ACCEPT}
        multiple
        disabled={full}
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          // The same file may be chosen again.
          event.target.value = "";
        }}
      />
      <Icon name="image-plus" />
    </label>
  );
}

/** The photos to send, each with its upload's progress. */
export function ComposerPhotos({ photos }: { photos: Photos }) {
  const failure = photos.list.find(({ upload }) => upload.phase === "failed")?.upload;
  return (
    <>
      <ul className="composer__photos" role="list" aria-label="Photos in this message">
        {photos.list.map((photo, at) => (
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
