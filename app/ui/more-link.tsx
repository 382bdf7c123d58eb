import type { useFetcher } from "react-router";
import { LinkButton, type LinkButtonProps } from "./button.tsx";

interface MoreLinkProps extends Pick<LinkButtonProps, "variant"> {
  /** The next page's address. */
  to: string;
  fetcher: Pick<ReturnType<typeof useFetcher>, "state" | "load">;
}

/** "Show more": loads the next page of a list. Without scripts it leads to it. */
export function MoreLink({ to, fetcher, variant = "soft" }: MoreLinkProps) {
  const idle = fetcher.state === "idle";
  return (
    <LinkButton
      to={to}
      variant={variant}
      aria-busy={!idle}
      onClick={(event) => {
        event.preventDefault();
        if (idle) void fetcher.load(to);
      }}
    >
      {idle ? "Show more" : "Loading..."}
    </LinkButton>
  );
}
