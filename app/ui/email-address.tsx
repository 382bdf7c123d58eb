/** An email address. If it doesn't fit on a line, it breaks before its domain and not within a word. */
export function EmailAddress({ address }: { address: string }) {
  const at = address.lastIndexOf("@") + 1;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}
