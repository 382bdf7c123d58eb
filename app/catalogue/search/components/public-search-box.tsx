import { SEARCH_TEXT_MAX } from "#app/catalogue/search/search-text.ts";
import { FRONT_PATH } from "#app/public-links.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

/** The search box of public pages: a plain form. */
export function PublicSearchBox({ text = "" }: { text?: string }) {
  return (
    <form className="row" role="search" action={`${FRONT_PATH}/search`}>
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
      <Button type="submit" variant="soft">
        Search
      </Button>
    </form>
  );
}
