import { type FormEvent, useEffect, useState } from "react";
import type { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import type { Photos } from "./use-photos.ts";

/**
 * Sends a form with photos after its last upload, when its button was pressed before. A photo that couldn't be uploaded
 * stops it. `isWaiting`: the button was pressed, and photos are still uploading.
 */
export function usePhotoSubmit(
  photos: Photos,
  errors: ReturnType<typeof useFieldErrors>,
): { isWaiting: boolean; onSubmit: (event: FormEvent<HTMLFormElement>) => void } {
  const [isWaiting, setIsWaiting] = useState(false);
  const { ref: form } = errors.form;

  useEffect(() => {
    if (isWaiting && !photos.busy) form.current?.requestSubmit();
  }, [isWaiting, photos.busy, form]);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    setIsWaiting(photos.busy && !photos.failed);
    if (photos.failed || photos.busy) event.preventDefault();
    if (photos.failed) errors.show({ photos: "Try uploading the photo again, or remove it" });
  }
  return { isWaiting, onSubmit };
}
