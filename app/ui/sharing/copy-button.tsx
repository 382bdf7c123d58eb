import { useEffect, useState } from "react";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { toast } from "#app/ui/feedback/toast.ts";

/** How long the button says "Copied!", in ms. */
const COPIED_MS = 3000;

interface CopyButtonProps extends Pick<ButtonProps, "size"> {
  text: string;
  /** Its accessible name while it reads "Copy". */
  label?: string;
  /** Shown in a toast. */
  copied?: string;
  /** What to press and hold if the browser forbids copying: "the number". */
  what: string;
}

/** Copies a text to the clipboard, and says so for three seconds. */
export function CopyButton({ text, label, copied, what, size }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [done]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      if (copied) toast.success(copied);
    } catch {
      toast.error(`Your browser didn't let us copy. Press and hold ${what} instead.`);
    }
  }
  return (
    <Button
      className="scripted"
      variant="soft"
      size={size}
      icon={done ? "check" : "copy"}
      aria-label={done ? undefined : label}
      onClick={() => void copy()}
    >
      {done ? "Copied!" : "Copy"}
    </Button>
  );
}
