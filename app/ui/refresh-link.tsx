import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { LinkButton, type LinkButtonProps } from "./button.tsx";
import { hasReloadFailed } from "./browser/shown-screen.ts";
import { toast } from "./feedback/toast.ts";

interface RefreshLinkProps extends Pick<LinkButtonProps, "variant"> {
  /** The message if it couldn't be loaded. The screen and what was typed stay. */
  failed: string;
  children: ReactNode;
}

/** Reloads the screen's data. Without scripts it reloads the page. */
export function RefreshLink({ variant, failed, children }: RefreshLinkProps) {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  async function refresh() {
    setBusy(true);
    await revalidate();
    setBusy(false);
    if (hasReloadFailed()) toast.error(failed);
  }
  return (
    <LinkButton
      to=""
      variant={variant}
      icon="refresh-cw"
      preventScrollReset
      aria-busy={busy || undefined}
      onClick={(event) => {
        event.preventDefault();
        if (!busy) void refresh();
      }}
    >
      {children}
    </LinkButton>
  );
}
