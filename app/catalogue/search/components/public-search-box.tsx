import { SEARCH_TEXT_MAX } from "#app/catalogue/search/search-text.ts";
import { FRONT_PATH } from "#app/public-links.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

interface PublicSearchBoxProps {
  className: string;
  text?: string;
}

/** The search box of visitors: a plain form, in the bar at the top, and large on the first page. */
export function PublicSearchBox({ className, text = "" }: PublicSearchBoxProps) {
  return (
    <form className={className} role="search" aria-label="Products" action={`${FRONT_PATH}/search`}>
      <TextField
        className="grow"
        icon="search"
        type="search"
        name="q"
        aria-label="Search products"
        placeholder="Search products"
        autoCapitalize="none"
        maxLength={SEARCH_TEXT_MAX}
        defaultValue={text}
        required
      />
      <Button type="submit" variant="soft" icon="search">
        <span>Search</span>
      </Button>
    </form>
  );
}
