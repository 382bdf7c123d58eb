import { type ComponentType, useEffect, useId, useRef, useState } from "react";
import { Form, useLocation, useNavigationType } from "react-router";
import { SEARCH_TEXT_MAX, tidySearchText } from "#app/catalogue/search/search-text.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import type { SuggestionListProps } from "./suggestion-list.tsx";

/** What the open list tells the field about itself, for assistive technology. */
export interface ListState {
  open: boolean;
  /** The id of the option that the arrow keys have reached. */
  activeId: string | undefined;
}

const RESULTS = "/search";
const CLOSED: ListState = { open: false, activeId: undefined };

/**
 * The search box of members, in the bar at the top. Its suggestions are loaded at the first focus. Without scripts it
 * is a plain form.
 */
export function SearchBox() {
  const listId = useId();
  const { pathname, search } = useLocation();
  const text = pathname === RESULTS ? tidySearchText(new URLSearchParams(search).get("q")) : "";
  const place = `${pathname} ${text}`;
  const [typed, setTyped] = useState(text);
  const [shownPlace, setShownPlace] = useState(place);
  const [focused, setFocused] = useState(false);
  const [List, setList] = useState<ComponentType<SuggestionListProps>>();
  const [list, setListState] = useState<ListState>(CLOSED);
  const field = useRef<HTMLInputElement>(null);
  const isBack = useNavigationType() === "POP";
  if (shownPlace !== place) {
    setShownPlace(place);
    // Somebody may be typing the next search when another screen arrives. Back leaves the focus where it is.
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

  function close(chosen?: string) {
    // The results may be those that are shown already.
    if (chosen !== undefined) setTyped(chosen);
    setFocused(false);
    setListState(CLOSED);
  }

  return (
    <Form
      className="top-bar__search"
      data-tour="search"
      role="search"
      aria-label="Products"
      action={RESULTS}
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
      <Button type="submit" variant="soft" icon="search">
        <span>Search</span>
      </Button>
      {List && <List id={listId} text={typed} wanted={focused} field={field} onState={setListState} onClose={close} />}
    </Form>
  );
}
