/** The next screen's title and shape while its data is loading: a chunk of its own, fetched by next-screen.tsx. */
import "./pending-screen.css";
import { useEffect, useState } from "react";
import type { Location } from "react-router";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { pendingLook } from "./pending-rules.ts";
import type { ScreenShape } from "#app/screen-rules.ts";
import { openTappedScreen, useTappedNote } from "./tapped-screen.ts";

export { Arrival } from "#app/screens/arrival.tsx";

// Here, so that no screen's first script carries it.
openTappedScreen();

/** After how many ms screen readers announce that a screen is loading. */
const ANNOUNCE_AFTER_MS = 600;

export function PendingScreen({ next }: { next: Location }) {
  const look = pendingLook(next.pathname, next.search);
  const [link] = useState(() => findLink(next));
  const title = look?.title ?? link.text;
  const [said, setSaid] = useState("");
  useTappedNote(next);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(title === null ? "Loading" : `Loading ${title}`), ANNOUNCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [title]);
  return (
    <div className="pending-screen" data-path={next.pathname}>
      <LiveRegion text={said} />
      <div className="page stack" aria-hidden="true">
        {look?.shape !== "product" && <Title text={title} />}
        <Shape shape={look?.shape ?? "list"} title={title} photo={link.photo} />
      </div>
    </div>
  );
}

function Title({ text }: { text: string | null }) {
  return text === null ? <Skeleton shape="title" /> : <p className="pending-screen__title">{text}</p>;
}

interface ShapeProps {
  shape: ScreenShape;
  title: string | null;
  photo: string | null;
}

function Shape({ shape, title, photo }: ShapeProps) {
  switch (shape) {
    case "home":
    case "grid":
      return <ProductGridSkeleton />;
    case "product":
      return (
        <div className="pending-product">
          {photo ? <img className="pending-product__photo" src={photo} alt="" /> : <Skeleton shape="photo" />}
          <div className="stack">
            <Title text={title} />
            <Lines />
            <Lines />
          </div>
        </div>
      );
    case "shop":
      return (
        <>
          <Skeleton shape="photo" className="pending-screen__banner" />
          <ProductGridSkeleton count={4} />
        </>
      );
    case "form":
    case "list":
      return [1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={`pending-row pending-row--${shape}`}>
          <Skeleton shape="photo" />
          <Lines />
        </div>
      ));
  }
}

function Lines() {
  return (
    <div>
      <Skeleton shape="text" />
      <Skeleton shape="text" className="skeleton--short" />
    </div>
  );
}

/**
 * The text and the photo of the link to the next screen. They are often its title and a photo that is already loaded.
 * Of a row with several texts, `data-title` marks the one.
 */
function findLink({ pathname }: Location): { text: string | null; photo: string | null } {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("main a[href]")].filter(
    (link) => new URL(link.href).pathname === pathname && !link.matches(".seller-link"),
  );
  const photo = links.map((link) => link.closest("article, li")?.querySelector("img")?.currentSrc).find(Boolean);
  return {
    text: links.map(titleIn).find((text) => text !== "") ?? null,
    photo: photo ?? null,
  };
}

function titleIn(link: HTMLElement): string {
  const isRow = link.querySelectorAll(":scope > :not(svg)").length > 1;
  return (link.querySelector("[data-title]") ?? (isRow ? null : link))?.textContent.trim() ?? "";
}
