import { IconButton } from "./button.tsx";
import { toast } from "./toast.ts";

/** Passes this page on: by the phone's own share sheet where there is one, else by its link on the clipboard. */
export function ShareButton({ title, label }: { title: string; label: string }) {
  return <IconButton icon="share-2" label={label} onClick={() => void share(title)} />;
}

async function share(title: string): Promise<void> {
  const url = `${location.origin}${location.pathname}`;
  if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
    try {
      return await navigator.share({ title, url });
    } catch (error) {
      // Closed without choosing anybody.
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
