/** Suggestions below the search box. A chunk of its own, loaded when somebody is about to type (search-box.tsx). */
import "./suggestion-list.css";
import { type MouseEvent, type RefObject, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { forgetSearches, readSearches } from "#app/catalogue/search/recent-searches.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import type { Suggestions } from "#app/catalogue/search/search.server.ts";
import { markPattern } from "#app/catalogue/search/search-marks.ts";
import { useJson } from "#app/ui/browser/use-json.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { Marked } from "#app/ui/marked.tsx";
import type { ListState } from "./search-box.tsx";

export interface SuggestionListProps {
  id: string;
  /** The text in the box. */
  text: string;
  /** Whether the box has the focus and hasn't been closed. */
  wanted: boolean;
  /** The box. While the list is open, it handles the box's keys. */
  field: RefObject<HTMLInputElement | null>;
  onState: (state: ListState) => void;
  /** `chosen`: what is searched for now. */
  onClose: (chosen?: string) => void;
}

interface Option {
  icon: IconName;
  label: string;
  /** Read out after the label. */
  detail?: string;
  to: string;
}

/** How long typing must pause before suggestions are requested, in ms. */
const PAUSE_MS = 200;
const OPTIONS_MAX = 8;
/** How many of them are recent searches while something else is typed. */
const RECENT_AMONG_OTHERS = 3;

export function SuggestionList({ id, text, wanted, field, onState, onClose }: SuggestionListProps) {
  const navigate = useNavigate();
  const typed = text.trim();
  const [recent, setRecent] = useState<string[]>([]);
  const [wasWanted, setWasWanted] = useState(false);
  if (wanted !== wasWanted) {
    setWasWanted(wanted);
    // Searches in other tabs count, too.
    if (wanted) setRecent(readSearches());
  }
  const suggestions = useSuggestions(wanted ? typed : "");
  const [active, setActive] = useState({ text, index: -1 });
  const index = active.text === text ? active.index : -1;
  const options = listOptions(typed, recent, suggestions);
  const open = wanted && options.length > 0;
  const activeId = open && index >= 0 ? `${id}-${index}` : undefined;

  useEffect(() => onState({ open, activeId }), [open, activeId, onState]);

  function choose(option: Option) {
    onClose(option.label);
    field.current?.blur();
    void navigate(option.to);
  }

  useEffect(() => {
    const box = field.current;
    if (!open || !box) return;
    function onKeyDown(event: KeyboardEvent) {
      const chosen = options[index];
      if (event.key === "Escape") onClose();
      else if (event.key === "Enter" && chosen) choose(chosen);
      else if (event.key === "ArrowDown") setActive({ text, index: index + 1 < options.length ? index + 1 : -1 });
      else if (event.key === "ArrowUp") setActive({ text, index: index < 0 ? options.length - 1 : index - 1 });
      else return;
      event.preventDefault();
    }
    box.addEventListener("keydown", onKeyDown);
    return () => box.removeEventListener("keydown", onKeyDown);
  });

  return (
    <>
      <LiveRegion text={open ? (options.length === 1 ? "1 suggestion" : `${options.length} suggestions`) : ""} />
      {open && (
        <div className="suggestions">
          <div id={id} role="listbox" aria-label="Suggestions">
            {options.map((option, at) => (
              <button
                type="button"
                tabIndex={-1}
                key={`${option.icon} ${option.label}`}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === index}
                className="suggestions__option"
                onMouseDown={keepFocus}
                onClick={() => choose(option)}
              >
                <Icon name={option.icon} />
                <span className="suggestions__label">
                  <Marked text={option.label} pattern={markPattern(typed)} />
                </span>
                {option.detail && <span className="quiet small">{option.detail}</span>}
              </button>
            ))}
          </div>
          {typed === "" && (
            <button
              type="button"
              className="text-link suggestions__clear"
              onMouseDown={keepFocus}
              onClick={() => {
                forgetSearches();
                setRecent([]);
              }}
            >
              Clear recent searches
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Keeps the focus, and so the list, in the box: Safari gives none to a button that is pressed. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

function listOptions(typed: string, recent: readonly string[], { types, names, categories }: Suggestions): Option[] {
  const searchFor = (icon: IconName, label: string): Option => ({
    icon,
    label,
    to: `/search?q=${encodeURIComponent(label)}`,
  });
  const key = typed.toLowerCase();
  const before = recent
    .filter((label) => label.toLowerCase().includes(key) && label.toLowerCase() !== key)
    .slice(0, typed === "" ? OPTIONS_MAX : RECENT_AMONG_OTHERS);
  const known = new Set([...before, ...types].map((label) => label.toLowerCase()));
  return [
    ...before.map((label) => searchFor("clock", label)),
    ...types
      .filter((type) => !before.some((label) => label.toLowerCase() === type.toLowerCase()))
      .map((type) => searchFor("search", type)),
    ...categories.map((category): Option => ({
      icon: "chevron-right",
      label: category.name,
      detail: "Category",
      to: categoryPath(category.id),
    })),
    ...names.filter((name) => !known.has(name.toLowerCase())).map((name) => searchFor("search", name)),
  ].slice(0, OPTIONS_MAX);
}

const NONE: Suggestions = { types: [], names: [], categories: [] };

/** What the server suggests for a text, once typing pauses. The last answer stays until the next one arrives. */
function useSuggestions(typed: string): Suggestions {
  const path = typed === "" ? null : `/search/suggestions?q=${encodeURIComponent(typed)}`;
  const { data } = useJson<Suggestions>(path, PAUSE_MS);
  return typed === "" ? NONE : (data ?? NONE);
}
