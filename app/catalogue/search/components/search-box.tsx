import "#app/catalogue/browse/components/catalogue.css";
import { type ComponentType, useEffect, useId, useRef, useState } from "react";
import { Form, useNavigationType } from "react-router";
import { SEARCH_TEXT_MAX } from "#app/catalogue/search/search-text.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import type { SuggestionListProps } from "./suggestion-list.tsx";

/** What the open list tells the field about itself, for assistive technology. */
export interface ListState {
  open: boolean;
  /** The id of the option that the arrow keys have reached. */
  activeId: string | undefined;
}

const CLOSED: ListState = { open: false, activeId: undefined };

/** The search box. Its suggestions are loaded at the first focus. Without scripts it is a plain form. */
export function SearchBox({ text }: { text: string }) {
  const listId = useId();
  const [typed, setTyped] = useState(text);
  const [shownText, setShownText] = useState(text);
  const [focused, setFocused] = useState(false);
  const [List, setList] = useState<ComponentType<SuggestionListProps>>();
  const [list, setListState] = useState<ListState>(CLOSED);
  const field = useRef<HTMLInputElement>(null);
  const isBack = useNavigationType() === "POP";
  if (shownText !== text) {
    setShownText(text);
    // Somebody may be typing the next search when the results of the last one arrive. Back leaves the focus where it
    // is.
    if (isBack || !focused) setTyped(text);
  }

  useEffect(() => {
    if (!focused || List) return;
    // The box works without suggestions.
    import("./suggestion-list.tsx").then((module) => setList(() => module.SuggestionList)).catch(() => undefined);
  }, [focused, List]);

  useEffect(() => {
    // Somebody may be typing already when the scripts arrive.
    if (!field.current || document.activeElement !== field.current) return;
    setTyped(field.current.value);
    setFocused(true);
  }, []);

  function close() {
    setFocused(false);
    setListState(CLOSED);
  }

  return (
    <Form
      className="search-box"
      data-tour="search"
      role="search"
      action="/search"
      onSubmit={() => {
        close();
        field.current?.blur();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <TextField
        ref={field}
        className="grow"
        icon="search"
        type="search"
        name="q"
        aria-label="Search products"
        placeholder="Search products"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={SEARCH_TEXT_MAX}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFocused(true);
        }}
        onFocus={() => setFocused(true)}
        onClick={() => setFocused(true)}
        role={List && "combobox"}
        aria-expanded={List && list.open}
        aria-controls={list.open ? listId : undefined}
        aria-activedescendant={list.activeId}
        aria-autocomplete={List && "list"}
      />
      <Button type="submit" variant="soft">
        Search
      </Button>
      {List && <List id={listId} text={typed} wanted={focused} field={field} onState={setListState} onClose={close} />}
    </Form>
  );
}
