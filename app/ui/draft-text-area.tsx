import { type ComponentProps, useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { fillControl } from "./fill-control.ts";
import { TextArea } from "./form-fields.tsx";

/**
 * A text area whose text the tab keeps until its form has led to another screen. So neither Back nor a reload loses it. For a
 * form that somebody who is logged in sends once.
 */
export function DraftTextArea(props: ComponentProps<"textarea"> & { name: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { pathname, search } = useLocation();
  const draft = `text-draft:${pathname + search}:${props.name}`;
  const { state, formMethod } = useNavigation();
  const isDone = useRef(false);

  useEffect(() => {
    const area = box.current;
    const kept = readPrivate("tab", draft);
    if (!area) return;
    // Typed before this script came, or answered with the form.
    if (area.value !== "") writePrivate("tab", draft, area.value);
    else if (typeof kept === "string") fillControl(area, kept);
  }, [draft]);
  useEffect(() => {
    // The answer has come. Unless it has led away from this form, the form stays, and this becomes false again.
    isDone.current = state === "loading" && formMethod === "POST";
  }, [state, formMethod]);
  useLayoutEffect(() => () => void (isDone.current && writePrivate("tab", draft, null)), [draft]);

  return (
    <TextArea
      {...props}
      ref={box}
      onInput={({ currentTarget: { value } }) => writePrivate("tab", draft, value === "" ? null : value)}
    />
  );
}
