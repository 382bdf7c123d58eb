import { IconButton } from "./button.tsx";
import { toast } from "./toast.ts";

/** Shares this page: with the device's share menu if there is one, else by copying its link. */
export function ShareButton({ title, label }: { title: string; label: string }) {
  return <IconButton icon="share-2" label={label} onClick={() => void share(title)} />;
}

async function share(title: string): Promise<void> {
  const url = `${location.origin}${location.pathname}`;
  if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
    try {
      return await navigator.share({ title, url });
    } catch (error) {
      // The share menu was closed.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    toast.success("Link copied to clipboard!");
  } catch {
    toast.error("We couldn't copy the link. Please copy it from the address bar.");
  }
}
