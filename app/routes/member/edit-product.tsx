import { data } from "react-router";
import type { Route } from "./+types/edit-product.ts";
import { DeleteListing } from "#app/catalogue/selling/components/delete-listing.tsx";
import { ListingForm } from "#app/catalogue/selling/components/listing-form.tsx";
import { ProductFailure } from "#app/catalogue/product/components/product-failure.tsx";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { openListing } from "#app/catalogue/selling/listings.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { listingAction } from "#app/screens/actions/listing-action.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? "Edit Product" : "Product Not Found");
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const editor = await openListing(context.get(servicesContext), requireViewer(context).id, params.productId);
  if (!editor) throw data(null, { status: 404 });
  return editor;
}

export const action = (args: Route.ActionArgs) => listingAction(args, args.params.productId);

/** A lost answer keeps the form. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false as const, errors: { form: LISTING_TEXTS.update_failed } }));
}

export default function EditProduct({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { productId, editing } = loaderData;
  return (
    <div className="page page--listing stack">
      <PageHeader
        title="Edit Product"
        lead={editing?.name}
        back={{ to: `/product/${productId}`, label: "Back to the product" }}
      />
      <ListingForm key={productId} editor={loaderData} answer={answer} />
      {editing && <DeleteListing product={{ id: productId, name: editing.name, status: editing.status }} />}
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ProductFailure error={error} />;
}
