import { type ReactNode, useRef } from "react";
import { Link, useLocation } from "react-router";
import { cardSources, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { FLAG_NUMBER_KEYS_OFF } from "#app/ui/browser/browser-flags.ts";
import { useBrowserFlag } from "#app/ui/browser/use-browser-flag.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { AdminFrame } from "./admin-frame.tsx";
import { useListKeys } from "./use-keys.ts";

interface DeskProps {
  title: string;
  lead: string;
  counts: AdminCounts;
  /** The list with its filters. */
  children: ReactNode;
  /** What is open beside the list; null for nothing. */
  open: ReactNode;
  /** What stands there until something is open. */
  hint: string;
  /** What the keys do: "J and K go through the list". */
  keys: string;
}

/** A list of what waits with the opened one beside it. On narrow screens the one or the other is shown. */
export function Desk({ title, lead, counts, children, open, hint, keys }: DeskProps) {
  const list = useRef<HTMLElement>(null);
  const [isOff, setOff] = useBrowserFlag(FLAG_NUMBER_KEYS_OFF);
  const isScripted = useScripted();
  useListKeys(list, !isOff);
  return (
    <AdminFrame counts={counts}>
      <div className="admin">
        <div className={classNames("desk", open !== null && "desk--open")}>
          <section ref={list} className="desk__list stack" aria-label={title}>
            {open === null ? <PageHeader title={title} lead={lead} /> : <p className="desk__title">{title}</p>}
            {children}
            {/* Speech input and unsteady hands can press keys by accident. */}
            {isScripted && (
              <div className="admin__keys-switch">
                <Checkbox id="desk-keys" checked={!isOff} onChange={(event) => setOff(!event.currentTarget.checked)}>
                  {keys}
                </Checkbox>
              </div>
            )}
          </section>
          <div className="desk__case stack">{open ?? <p className="desk__hint quiet">{hint}</p>}</div>
        </div>
      </div>
    </AdminFrame>
  );
}

interface DeskRowProps {
  to: string;
  title: string;
  /** The thing that it is about, or else the person. */
  image: ShownImage | null;
  person?: { name: string | null; photoUrl: string | null };
  /** Why it is here. */
  why: string | null | false;
  /** What else helps to choose: who, how much, since when. Empty facts are left out. */
  facts: readonly (string | null | false)[];
  badges: ReactNode;
}

/** The part of an address's parameters that is the list's: its filter and page. */
export function listSearch(search: string): string {
  const all = new URLSearchParams(search);
  const own = new URLSearchParams([...all].filter(([name]) => name === "show" || name === "after")).toString();
  return own === "" ? "" : `?${own}`;
}

/** A row of a desk's list. Its link covers it. */
export function DeskRow({ to, title, image, person, why, facts, badges }: DeskRowProps) {
  const { pathname, search } = useLocation();
  return (
    <li className="desk__row">
      <span className="desk__picture">
        {image || !person ? (
          <Photo {...cardSources(image)} sizes="56px" alt="" fill />
        ) : (
          <Avatar name={person.name ?? "?"} url={person.photoUrl} />
        )}
      </span>
      <div className="desk__words">
        <Link
          className="desk__link"
          to={`${to}${listSearch(search)}`}
          aria-current={pathname === to ? "true" : undefined}
        >
          {title}
        </Link>
        {why && <p className="small">{why}</p>}
        <p className="quiet small numbers">{facts.filter(Boolean).join(" · ")}</p>
        <div className="row">{badges}</div>
      </div>
    </li>
  );
}
