import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { LinkButton } from "#app/ui/button.tsx";

interface BackButtonProps {
  /** Where it leads without a page before. */
  otherwise: string;
  className?: string;
}

/** Goes one step back. If this page is the first of ours in its tab, or without scripts, it leads to `otherwise`. */
export function BackButton({ otherwise, className }: BackButtonProps) {
  const navigate = useNavigate();
  function goBack(event: MouseEvent) {
    if (!hasPageBefore() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }
  return (
    <LinkButton to={otherwise} variant="ghost" icon="arrow-left" className={className} onClick={goBack}>
      <span className="visually-hidden">Back</span>
    </LinkButton>
  );
}

/**
 * Whether the previous entry in the tab's history is one of our pages. In browsers without the Navigation API, the
 * router's count decides.
 */
function hasPageBefore(): boolean {
  if ("navigation" in window) return window.navigation.canGoBack;
  return ((history.state as { idx?: number } | null)?.idx ?? 0) > 0;
}
