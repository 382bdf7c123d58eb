/** Speaks its text to assistive technology when it changes, and shows nothing. Keep it mounted; change the text. */
export function LiveRegion({ text }: { text: string }) {
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}
