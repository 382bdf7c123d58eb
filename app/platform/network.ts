/**
 * The network that a caller counts as: an IPv4 address, or the first 64 bits of an IPv6 address, because one subscriber
 * owns all of those. "unknown" without an address.
 */
export function networkOf(address: string | null): string {
  if (!address) return "unknown";
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail === undefined) return `${groups.slice(0, 4).map(plain).join(":")}::/64`;
  const rest = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => "0");
  return `${[...groups, ...zeros, ...rest].slice(0, 4).map(plain).join(":")}::/64`;
}

function plain(group: string): string {
  return group.replace(/^0+(?=.)/, "");
}
