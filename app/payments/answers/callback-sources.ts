/**
 * The addresses that Safaricom publishes (docs/m-pesa.md, "Callback addresses"). The list may change without notice and
 * a callback is sent once, so an unknown address is only flagged. The token in the path and the query are what counts.
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

/** Whether a callback came from an address that isn't Safaricom's; false when the address is unknown. */
export function isForeignSource(address: string | null): boolean {
  return address !== null && !SAFARICOM_ADDRESSES.has(address);
}
