import "./file-field.css";
import { useEffect, useRef, useState, type DragEvent } from "react";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { useControl } from "./control.ts";

interface FileFieldProps {
  name: string;
  /** As for a file input: types and extensions. */
  accept: string;
  /** The accepted types in words. */
  accepted: string;
  /** The text for a file's size, such as "0.42 MB". */
  sizeOf: (bytes: number) => string;
  /** Called after each choice, with null when the file was removed. */
  onChoose?: (file: File | null) => void;
}

/**
 * One file, dropped or chosen, with its name, size, preview and a button to remove it. It uses the browser's own input,
 * so it works in a form without scripts.
 */
export function FileField({ name, accept, accepted, sizeOf, onChoose }: FileFieldProps) {
  const control = useControl();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [over, setOver] = useState(false);

  useEffect(() => () => forget(chosen), [chosen]);

  function choose(file: File | null): void {
    setChosen(file && { file, preview: file.type.startsWith("image/") ? URL.createObjectURL(file) : null });
    onChoose?.(file);
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const { files } = event.dataTransfer;
    if (!input.current || files.length === 0) return;
    input.current.files = files;
    choose(input.current.files?.[0] ?? null);
  }
  function remove(): void {
    if (!input.current) return;
    input.current.value = "";
    choose(null);
    input.current.focus();
  }
  return (
    <div
      className={classNames("file-field", over && "file-field--over", control["aria-invalid"] && "file-field--invalid")}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        {...control}
        ref={(element) => {
          input.current = element;
          // A file may have been chosen before this script ran.
          const early = element?.files?.[0];
          if (early && !chosen) choose(early);
        }}
        className="file-input"
        type="file"
        name={name}
        accept={accept}
        onChange={(event) => choose(event.target.files?.[0] ?? null)}
      />
      {chosen ? (
        <div className="file-field__file">
          <Preview address={chosen.preview} />
          <span className="grow">
            <span className="file-field__name">{chosen.file.name}</span>
            <span className="quiet small numbers">{sizeOf(chosen.file.size)}</span>
          </span>
          <IconButton icon="trash-2" label={`Remove ${chosen.file.name}`} variant="ghost" onClick={remove} />
        </div>
      ) : (
        <div className="file-field__invitation">
          <Icon name="upload" size="large" />
          <span>
            <span className="file-field__words">
              <span className="file-field__drop">Drag and drop, or </span>
              <span className="file-field__browse">choose a file</span>
            </span>
            <span className="quiet small">{withWholeAmounts(accepted)}</span>
          </span>
        </div>
      )}
    </div>
  );
}

interface Chosen {
  file: File;
  /** A local address of the picture; null when it isn't a picture. */
  preview: string | null;
}

function forget(chosen: Chosen | null): void {
  if (chosen?.preview) URL.revokeObjectURL(chosen.preview);
}

/** The picture itself, or a sheet of paper. */
function Preview({ address }: { address: string | null }) {
  const [failed, setFailed] = useState<string>();
  return (
    <span className="file-field__preview">
      {address && address !== failed ? (
        <img src={address} alt="" onError={() => setFailed(address)} />
      ) : (
        <Icon name="file-text" size="large" />
      )}
    </span>
  );
}
