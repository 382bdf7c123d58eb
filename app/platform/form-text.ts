import { z } from "zod";

/** A text of at most `max` characters, trimmed. Keeps line breaks, and removes other control characters. */
export function formText(max: number, missing?: string) {
  return z
    .string(missing)
    .transform((text) =>
      text
        .replaceAll("\r\n", "\n")
        .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
        .trim(),
    )
    .pipe(z.string().max(max, `Please use at most ${max} characters`));
}
