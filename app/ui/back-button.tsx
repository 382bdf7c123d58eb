import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { LinkButton } from "./button.tsx";

/** One step back. Where this page is the first of our pages in its tab, and without scripts, it leads to `otherwise`. */
export function BackButton({ otherwise }: { otherwise: string }) {
  const navigate = useNavigate();
  function goBack(event: MouseEvent) {
    if (!hasPageBefore() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }
  return (
    <LinkButton to={otherwise} variant="ghost" tone="gray" icon="arrow-left" onClick={goBack}>
      Back
    </LinkButton>
  );
}

/** Whether the step before this page in the tab's history is one of ours. Browsers without the Navigation API ask the router's count. */
function hasPageBefore(): boolean {
  if ("navigation" in window) return window.navigation.canGoBack;
  return ((history.state as { idx?: number } | null)?.idx ?? 0) > 0;
}
