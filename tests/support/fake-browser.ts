import { vi } from "vitest";

interface FakeBrowser {
  /** The contents of localStorage and sessionStorage. */
  device: Map<string, string>;
  tab: Map<string, string>;
  logIn(viewerId: string | null): void;
}

/**
 * A browser's storages, and a page on which `viewerId` is logged in, as globals. `forbidden`: every use of a storage
 * throws.
 */
export function openBrowser(viewerId: string | null, { forbidden = false } = {}): FakeBrowser {
  const browser = { device: new Map<string, string>(), tab: new Map<string, string>() };
  vi.stubGlobal("localStorage", storageOver(browser.device, forbidden));
  vi.stubGlobal("sessionStorage", storageOver(browser.tab, forbidden));
  function logIn(id: string | null): void {
    vi.stubGlobal("document", { querySelector: () => (id === null ? null : { dataset: { viewer: id } }) });
  }
  logIn(viewerId);
  return { ...browser, logIn };
}

function storageOver(kept: Map<string, string>, forbidden: boolean): object {
  if (forbidden) return new Proxy({}, { get: () => () => fail(), ownKeys: fail });
  const methods = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return new Proxy(methods, {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

function fail(): never {
  throw new DOMException("no", "SecurityError");
}
