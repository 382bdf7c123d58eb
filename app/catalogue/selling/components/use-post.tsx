import { type ClipboardEvent, type ComponentType, type FocusEvent, type ReactNode, useState } from "react";

type PostPanel = typeof import("./post-panel.tsx").PostPanel;

/** A shorter text is only a name. */
const POST_MIN = 20;
/** What a name that somebody has typed may hold besides. */
const SAYS_MORE = /\d ?k\b|\/[-=]|\bk(?:sh|es)\b|\bneg|.{80}/i;

/**
 * Students paste the post that they wrote for their groups into the name. What reads it is loaded then. `field`: for
 * the input; `panel` stands below it.
 */
export function usePost(isNew: boolean): { field: object; panel: ReactNode } {
  const [post, setPost] = useState<{ text: string; form: HTMLFormElement } | null>(null);
  const [Panel, setPanel] = useState<ComponentType<Parameters<PostPanel>[0]> | null>(null);
  const [kept, setKept] = useState("");

  function look(typed: string, { form }: HTMLInputElement): void {
    const text = typed.trim();
    if (!isNew || !form || text.length < POST_MIN || text === kept) return;
    import("./post-panel.tsx")
      .then((loaded) => {
        setPanel(() => loaded.PostPanel);
        setPost({ text, form });
      })
      // It stays as it was pasted.
      .catch(() => undefined);
  }
  return {
    field: {
      onPaste: ({ clipboardData, currentTarget }: ClipboardEvent<HTMLInputElement>) =>
        look(clipboardData.getData("text"), currentTarget),
      onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
        if (!post && SAYS_MORE.test(currentTarget.value)) look(currentTarget.value, currentTarget);
      },
    },
    panel: post && Panel && (
      <Panel
        {...post}
        onEnd={() => {
          setKept(post.text);
          setPost(null);
        }}
      />
    ),
  };
}
