import "./photo-field.css";
import { type DragEvent, type KeyboardEvent, useEffect, useId, useState } from "react";
import { photoPath } from "#app/catalogue/photos/image-sources.ts";
import { type FormPhoto } from "#app/catalogue/photos/photo-list.ts";
import { IconButton } from "#app/ui/button.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/forms/field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { Menu, MenuItem } from "#app/ui/layers/menu.tsx";
import type { Photos } from "./use-photos.ts";

/**
 * The accepted types. For these, phones offer the camera or the gallery, and convert formats that browsers can't read.
 */
const ACCEPT = "image/jpeg,image/png,image/webp,image/gif,image/avif";

interface PhotoFieldProps {
  photos: Photos;
  label: string;
  /** The name of the hidden fields that carry the photos' keys, in order. */
  name: string;
  /** The name of the field that carries an original photo when there are no scripts. */
  fileName: string;
  hint?: string;
  error?: string;
  /** Says "(optional)" after the label. */
  optional?: boolean;
  /** What the first of several photos is called. */
  firstIs?: string;
  /** The shape of the tiles. Default: square. */
  wide?: boolean;
}

/**
 * Photos that are chosen, dropped or taken. Each shows its upload's progress and can be cancelled or retried. People
 * sort them by dragging, with the arrow keys, or from each photo's menu.
 */
export function PhotoField({ photos, label, name, fileName, hint, error, optional, firstIs, wide }: PhotoFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const sorting = useSorting(photos.max > 1 && photos.list.length > 0);
  const room = photos.max - photos.list.length;
  const failures = [
    ...photos.refused,
    ...photos.list.flatMap((photo) =>
      photo.upload.phase === "failed" ? [`${photo.name || "Photo"}: ${photo.upload.error}`] : [],
    ),
  ];

  function dropFiles(event: DragEvent): void {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    photos.add(event.dataTransfer.files);
  }
  return (
    // Dropping is one of several ways; the inputs are the others.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      className={classNames("field photo-field", wide && "photo-field--wide", over && "photo-field--over")}
      aria-describedby={hint && `${id}-hint`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropFiles}
    >
      <legend className="field__label">
        {label}
        {optional && <span className="field__optional"> (optional)</span>}
      </legend>
      {photos.images.map(({ key }) => (
        <input key={key} type="hidden" name={name} value={key} />
      ))}
      <ul className="photo-field__tiles" role="list">
        {sorting ? (
          <sorting.PhotoSorting ids={photos.list.map((photo) => photo.id)} onMove={photos.move}>
            {photos.list.map((photo, at) => (
              <sorting.SortableTile key={photo.id} id={photo.id}>
                <Tile photo={photo} at={at} photos={photos} firstIs={firstIs} />
              </sorting.SortableTile>
            ))}
          </sorting.PhotoSorting>
        ) : (
          photos.list.map((photo, at) => (
            <li key={photo.id} className="photo-tile">
              <Tile photo={photo} at={at} photos={photos} firstIs={firstIs} />
            </li>
          ))
        )}
        {room > 0 && <AddTiles id={id} name={fileName} photos={photos} hasError={Boolean(error)} />}
      </ul>
      {failures.map((failure) => (
        <FieldError key={failure} message={failure} />
      ))}
      {error && <FieldError id={`${id}-error`} message={error} />}
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <LiveRegion text={photos.said} />
    </fieldset>
  );
}

interface AddTilesProps {
  id: string;
  name: string;
  photos: Photos;
  hasError: boolean;
}

/** Chooses photos, or takes one where there is a camera. */
function AddTiles({ id, name, photos, hasError }: AddTilesProps) {
  const isScripted = useScripted();
  return (
    <>
      <li className="photo-add">
        <PhotoInput
          id={`${id}-pick`}
          name={name}
          // Without scripts an original is sent as it is, and one is as much as a form may hold.
          multiple={isScripted && photos.max > 1}
          describedBy={hasError ? `${id}-error` : undefined}
          label={photos.max > 1 ? "Add photos" : photos.list.length > 0 ? "Change photo" : "Add a photo"}
          onChoose={photos.add}
        />
        <span className="photo-add__face" aria-hidden="true">
          <Icon name="image-plus" size="large" />
          <span className="photo-add__words">{photos.max > 1 ? "Add photos" : "Add a photo"}</span>
          <span className="photo-add__drop">or drop here</span>
        </span>
      </li>
      <li className="photo-add photo-add--camera">
        <PhotoInput id={`${id}-camera`} capture="environment" label="Take a photo" onChoose={photos.add} />
        <span className="photo-add__face" aria-hidden="true">
          <Icon name="camera" size="large" />
          <span className="photo-add__words">Take a photo</span>
        </span>
      </li>
    </>
  );
}

type PhotoSorting = typeof import("./photo-sorting.tsx");

/** What sorts photos by dragging, fetched when it is first wanted. Null until then, and where it cannot be fetched. */
function useSorting(wanted: boolean): PhotoSorting | null {
  const [sorting, setSorting] = useState<PhotoSorting | null>(null);
  useEffect(() => {
    if (wanted && !sorting) import("./photo-sorting.tsx").then(setSorting).catch(() => undefined);
  }, [wanted, sorting]);
  return sorting;
}

interface PhotoInputProps {
  id: string;
  /** Set only if the field is part of a form that works without scripts. */
  name?: string;
  label: string;
  multiple?: boolean;
  capture?: "environment";
  describedBy?: string;
  onChoose: (files: Iterable<File>) => void;
}

/**
 * The browser's own input. Files that a script takes over are removed from it, so that the form doesn't send them
 * again.
 */
function PhotoInput({ label, describedBy, onChoose, ...input }: PhotoInputProps) {
  function take(element: HTMLInputElement): void {
    const files = [...(element.files ?? [])];
    if (files.length === 0) return;
    element.value = "";
    onChoose(files);
  }
  return (
    <input
      {...input}
      className="file-input"
      type="file"
      accept={ACCEPT}
      aria-label={label}
      aria-invalid={describedBy ? true : undefined}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => take(currentTarget)}
      ref={(element) => {
        // A file may have been chosen before this script ran.
        if (element) take(element);
      }}
    />
  );
}

interface TileProps {
  photo: FormPhoto;
  at: number;
  photos: Photos;
  firstIs?: string;
}

const ARROWS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function nameAt(at: number): string {
  return `Photo ${at + 1}`;
}

function Tile({ photo, at, photos, firstIs }: TileProps) {
  const { upload } = photo;
  const name = nameAt(at);
  if (upload.phase === "failed") {
    return (
      <>
        <Picture photo={photo} dim />
        <span className="photo-tile__actions">
          <IconButton icon="refresh-cw" label={`Try ${name} again`} onClick={() => photos.retry(photo.id)} />
          <IconButton icon="x" label={`Remove ${name}`} onClick={() => photos.remove(photo.id)} />
        </span>
      </>
    );
  }
  if (upload.phase !== "done") {
    return (
      <>
        <Picture photo={photo} dim />
        <Progress
          name={name}
          share={upload.phase === "sending" ? upload.share : 0}
          words={upload.phase === "waiting" ? "Waiting" : upload.phase === "preparing" ? "Preparing" : null}
        />
        <IconButton
          className="photo-tile__corner"
          icon="x"
          label={`Cancel ${name}`}
          onClick={() => photos.remove(photo.id)}
        />
      </>
    );
  }
  return <UploadedTile photo={photo} at={at} photos={photos} firstIs={firstIs} />;
}

/** A photo with its menu. The arrow keys move it, too. */
function UploadedTile({ photo, at, photos, firstIs }: TileProps) {
  const several = photos.list.length > 1;
  const name = nameAt(at);

  function moveByKey(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    if (step === undefined || !several) return;
    event.preventDefault();
    photos.move(photo.id, at + step);
  }
  return (
    // The keys move the photo whose button has the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="photo-tile__box" onKeyDown={moveByKey}>
      <Menu
        label={`${name}${at === 0 && firstIs ? `, ${firstIs}` : ""}: options`}
        className="photo-tile__button"
        face={
          <>
            <Picture photo={photo} />
            {at === 0 && firstIs && <span className="photo-tile__mark">{firstIs}</span>}
            <span className="photo-tile__corner photo-tile__more">
              <Icon name="ellipsis" size="small" />
            </span>
          </>
        }
      >
        {firstIs && at > 0 && (
          <MenuItem icon="check" onClick={() => photos.move(photo.id, 0)}>
            Make {firstIs.toLowerCase()}
          </MenuItem>
        )}
        {several && (
          <>
            <MenuItem icon="arrow-left" disabled={at === 0} onClick={() => photos.move(photo.id, at - 1)}>
              Move earlier
            </MenuItem>
            <MenuItem
              icon="arrow-right"
              disabled={at === photos.list.length - 1}
              onClick={() => photos.move(photo.id, at + 1)}
            >
              Move later
            </MenuItem>
          </>
        )}
        <MenuItem icon="trash-2" destructive onClick={() => photos.remove(photo.id)}>
          Remove photo
        </MenuItem>
      </Menu>
    </div>
  );
}

function Picture({ photo, dim }: { photo: FormPhoto; dim?: boolean }) {
  const [failed, setFailed] = useState(false);
  const image = photo.upload.phase === "done" ? photo.upload.image : null;
  const source = photo.preview ?? (image && photoPath(image, image.widths[0] ?? image.width));
  return (
    <span
      className={classNames("photo-tile__picture", dim && "photo-tile__picture--dim")}
      style={image ? { backgroundColor: image.tone } : undefined}
    >
      {source && !failed ? (
        <img src={source} alt="" draggable={false} onError={() => setFailed(true)} />
      ) : (
        <Icon name="camera" size="large" />
      )}
    </span>
  );
}

function Progress({ name, share, words }: { name: string; share: number; words: string | null }) {
  const percent = Math.round(share * 100);
  return (
    <span className="photo-tile__progress">
      <span className="photo-tile__percent numbers">{words ?? `${percent}%`}</span>
      <span
        className="photo-tile__bar"
        role="progressbar"
        aria-label={`${name} is uploading`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ width: `${percent}%` }} />
      </span>
    </span>
  );
}
