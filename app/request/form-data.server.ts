/** A form, or why it cannot be read. */
export type SentForm = { ok: true; form: FormData } | { ok: false; code: "too_large" | "unreadable" };

/** Reads a form of at most `maxBytes`. Stops reading at the limit, whatever the Content-Length says. */
export async function readForm(request: Request, maxBytes: number): Promise<SentForm> {
  const announced = Number(request.headers.get("Content-Length") ?? 0);
  if (announced > maxBytes) return { ok: false, code: "too_large" };
  if (!request.body) return { ok: false, code: "unreadable" };
  let received = 0;
  const counted = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        if (received > maxBytes) controller.error(new Error("form too large"));
        else controller.enqueue(chunk);
      },
    }),
  );
  try {
    const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
    return { ok: true, form: await new Response(counted, { headers }).formData() };
  } catch {
    return { ok: false, code: received > maxBytes ? "too_large" : "unreadable" };
  }
}
