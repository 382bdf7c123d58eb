import { type FormEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { type ListFilters, listPath, SEARCH } from "#app/catalogue/browse/list-filters.ts";
import { SAVED_TEXTS } from "#app/catalogue/saved/saved-texts.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { postForm } from "#app/ui/forms/post-form.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";

interface SaveSearchProps {
  words: string;
  filters: ListFilters;
  label: string;
  variant?: "solid" | "soft";
}

/** Saves a search in one tap. */
export function SaveSearch({ words, filters, label, variant = "soft" }: SaveSearchProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const path = listPath({ ...SEARCH, words }, filters);
  const [saved, setSaved] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function save(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    const answer = await postForm<ActionResult>("/saved-searches/save", { search: path });
    setBusy(false);
    if (!answer?.ok) return toast.error(answer?.message ?? SAVED_TEXTS.failed);
    setSaved(path);
    toast.success(answer.message, {
      action: { label: "Saved searches", onPress: () => void navigate("/saved-searches") },
    });
  }

  if (saved === path)
    return (
      <LinkButton to="/saved-searches" size="small" variant="soft" icon="check">
        Saved
      </LinkButton>
    );
  return (
    <form method="post" action="/saved-searches/save" onSubmit={(event) => void save(event)}>
      <input type="hidden" name="search" value={path} />
      <input type="hidden" name="from" value={pathname + search} />
      <Button type="submit" size="small" variant={variant} icon="bell" busy={busy}>
        {label}
      </Button>
    </form>
  );
}
