/**
 * Announces its text to assistive technology when it changes, and shows nothing. Keep it mounted and change the text.
 */
export function LiveRegion({ text }: { text: string }) {
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
