import { type ComponentType, Suspense, useState } from "react";
import { useFetcher } from "react-router";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import type { ListingEditor } from "#app/catalogue/selling/listings.server.ts";
import type { TypedShop } from "#app/shops/typed-shop.ts";
import { SHOP_SETTINGS_PATH } from "#app/shops/shop-settings-path.ts";
import type { ShopEditor } from "#app/shops/shop-settings.server.ts";
import { readDialogForm, writeDialogForm } from "./dialog-form.ts";
import { Button, type LinkButtonProps } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import { DialogLink } from "#app/ui/layers/dialog-link.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Spinner } from "#app/ui/feedback/spinner.tsx";
import { ErrorState } from "#app/ui/feedback/state.tsx";

/** The forms are loaded at the first press. Without scripts the buttons lead to their pages. */
const ListingForm = lazyPart(
  async () => (await import("#app/catalogue/selling/components/listing-form.tsx")).ListingForm,
);
const ShopForm = lazyPart(async () => (await import("#app/shops/components/shop-form.tsx")).ShopForm);

/** Opens the dialog "Add New Product". */
export function AddProductButton(props: Omit<LinkButtonProps, "to">) {
  return <DialogButton<ListingEditor> {...props} to="/add-product" title="Add New Product" content={ListingForm} />;
}

/** Opens the dialog "Shop Settings". */
export function CustomizeShopButton(props: Omit<LinkButtonProps, "to">) {
  return (
    <DialogButton<ShopEditor, TypedShop> {...props} to={SHOP_SETTINGS_PATH} title="Shop Settings" content={ShopForm} />
  );
}

interface DialogButtonProps<T, Typed> extends Omit<LinkButtonProps, "content" | "to"> {
  /** The page whose data the dialog shows. */
  to: string;
  title: string;
  content: ComponentType<{
    editor: T;
    onSaved: () => void;
    typed: Typed | null;
    onType: (typed: Typed) => void;
    onDiscard: () => void;
  }>;
}

/** A link to a page whose form opens in a dialog over this page. */
function DialogButton<T extends object, Typed = never>({
  to,
  title,
  content: Content,
  ...button
}: DialogButtonProps<T, Typed>) {
  const page = useFetcher();
  const [open, setOpen] = useState(false);
  // The data that the form started from. It stays the same while the dialog is open, even if the page reloads its data.
  const [editor, setEditor] = useState<T | null>(null);
  const [before, setBefore] = useState<unknown>();
  const answer = page.data === before ? undefined : (page.data as T | FailedPage | undefined);
  const failed = answer !== undefined && "failed" in answer;
  if (open && editor === null && answer !== undefined && !failed) setEditor(answer as T);
  function load() {
    setEditor(null);
    setBefore(page.data);
    void page.load(to);
  }
  function show() {
    setOpen(true);
    load();
  }
  // The tab keeps what was typed, so neither closing the dialog nor a reload loses it.
  const keep = (typed: Typed | null) => writeDialogForm(to, typed);
  function discard() {
    keep(null);
    load();
  }
  return (
    <>
      <DialogLink {...button} to={to} onOpen={show} />
      <Dialog open={open} onOpenChange={setOpen} title={title} wide>
        {failed && editor === null ? (
          <ErrorState
            title="We couldn't load the form"
            action={
              <Button variant="soft" icon="refresh-cw" onClick={load}>
                Try Again
              </Button>
            }
          />
        ) : (
          <Suspense fallback={<Loading />}>
            {editor !== null ? (
              <Content
                editor={editor}
                onSaved={() => setOpen(false)}
                typed={readDialogForm(to) as Typed | null}
                onType={keep}
                onDiscard={discard}
              />
            ) : (
              <Loading />
            )}
          </Suspense>
        )}
      </Dialog>
    </>
  );
}

function Loading() {
  return (
    <div className="loading" role="status">
      <Spinner />
      Loading...
    </div>
  );
}
