/**
 * The addresses that Safaricom names as its own (docs/m-pesa.md, "Callback addresses"). The list can change
 * without a word and a callback is sent once, so it only flags: what counts is the token in the path, and the query.
 */
const SAFARICOM_ADDRESSES: ReadonlySet<string> = new Set([
  "196.201.214.200",
  "196.201.214.206",
  "196.201.214.207",
  "196.201.214.208",
  "196.201.213.114",
  "196.201.213.44",
  "196.201.212.127",
  "196.201.212.138",
  "196.201.212.129",
  "196.201.212.136",
  "196.201.212.74",
  "196.201.212.69",
]);

/** Whether a callback came from an address that Safaricom does not name; false where its address is not known. */
export function isForeignSource(address: string | null): boolean {
  return address !== null && !SAFARICOM_ADDRESSES.has(address);
}
