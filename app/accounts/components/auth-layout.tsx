import "./auth-layout.css";
import type { ReactNode } from "react";
import { FRONT_PATH } from "#app/public-links.ts";
import { brand } from "#app/ui/page/brand.ts";
import { Failure } from "#app/ui/feedback/failure.tsx";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import { NavigationProgress, OfflineNotice } from "#app/ui/page/shell.tsx";
import { type Slide, Slideshow } from "#app/ui/pictures/slideshow.tsx";
import { ThemeToggle } from "#app/ui/page/theme-toggle.tsx";
import { Wordmark } from "#app/ui/page/wordmark.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

const slides: readonly Slide[] = [
  {
    picture: "/art/campus.webp",
    label: "Your campus, open for business",
    words: twoLines("Your campus,", "open for business."),
  },
  {
    picture: "/art/room.webp",
    label: "Your room, furnished for less",
    words: twoLines("Your room,", "furnished for less."),
  },
  { picture: "/art/deal.webp", label: "Pay safely, meet on campus", words: twoLines("Pay safely,", "meet on campus.") },
];

function twoLines(first: string, second: string): ReactNode {
  return (
    <>
      {first}
      <br />
      {second}
    </>
  );
}

interface AuthLayoutProps {
  /** Undefined when the children have their own heading. */
  title?: string;
  lead?: ReactNode;
  /** Tells newcomers what this is: on the slideshow on desktop, after the form on phones. */
  about?: ReactNode;
  /** The id of somebody who is logged in. Undefined for visitors. */
  viewerId?: string | undefined;
  children: ReactNode;
}

/** A form beside the slideshow on desktop, and below it on phones. */
export function AuthLayout({ title, lead, about, viewerId, children }: AuthLayoutProps) {
  return (
    <>
      <NavigationProgress />
      <OfflineNotice />
      <div className="auth" data-viewer={viewerId}>
        <header className="auth__head">
          <Wordmark to={FRONT_PATH} reloadDocument />
          <ThemeToggle />
        </header>
        <aside className="auth__art" aria-label={`About ${brand.name}`}>
          <Slideshow slides={slides} />
        </aside>
        <main className="auth__form stack" id="content" tabIndex={-1}>
          {title && (
            <header>
              <h1>{title}</h1>
              {lead && <p className="page-header__lead">{lead}</p>}
            </header>
          )}
          {children}
        </main>
        {about}
        <footer className="auth__foot row quiet small">
          <TextLink to="/terms">Terms</TextLink>
          <TextLink to="/privacy">Privacy</TextLink>
          <TextLink to="/protection">How paying is protected</TextLink>
          <TextLink to="/help">Help</TextLink>
          <TextLink to="/support">Contact support</TextLink>
        </footer>
      </div>
    </>
  );
}

/** Shown instead of one of these screens when it could not be loaded. */
export function AuthFailure() {
  return (
    <AuthLayout>
      <Failure />
    </AuthLayout>
  );
}

/**
 * Shown instead of a screen that a link opens: the link is none of ours, or the screen could not be loaded.
 */
export function LinkFailure({
  error,
  lead = "Please open the link in our email again, and check that you have the whole address.",
  children,
}: {
  error: unknown;
  lead?: string;
  children: ReactNode;
}) {
  if (!isNotFound(error)) return <AuthFailure />;
  return (
    <AuthLayout title="This link doesn't work" lead={lead}>
      <p className="row">{children}</p>
    </AuthLayout>
  );
}
