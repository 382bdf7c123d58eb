import { useState } from "react";
import type { useFetcher } from "react-router";
import { isFailedPage } from "./browser/failed-page.ts";
import { LinkButton, type LinkButtonProps } from "./button.tsx";

interface MoreLinkProps extends Pick<LinkButtonProps, "variant"> {
  /** The next page's address. */
  to: string;
  /** Its data is a FailedPage when the next page couldn't be loaded. */
  fetcher: Pick<ReturnType<typeof useFetcher<object>>, "state" | "load" | "data">;
}

/** "Show more": loads the next page of a list, and says when a press failed. Without scripts it leads to it. */
export function MoreLink({ to, fetcher, variant = "soft" }: MoreLinkProps) {
  const idle = fetcher.state === "idle";
  // Back loads pages, too (use-more-pages.ts).
  const [isPressed, setPressed] = useState(false);
  const failed = idle && isPressed && isFailedPage(fetcher.data);
  return (
    <div className="feed-end">
      {failed && <p role="alert">We couldn't load more. Please check your connection.</p>}
      <LinkButton
        to={to}
        variant={variant}
        aria-busy={!idle}
        onClick={(event) => {
          event.preventDefault();
          if (!idle) return;
          setPressed(true);
          void fetcher.load(to);
        }}
      >
        {failed ? "Try Again" : idle ? "Show more" : "Loading..."}
      </LinkButton>
    </div>
  );
}
