import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/product.ts";
import { MissingProduct, PublicProductView } from "#app/catalogue/product/components/public-product-view.tsx";
import { productMeta } from "#app/catalogue/product/product-meta.ts";
import { productStructuredData } from "#app/catalogue/product/product-structured-data.ts";
import { findPublicProduct, findPublicProductId } from "#app/catalogue/product/public-product.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { type PressedAction, pressedPath } from "#app/catalogue/product/pending-action.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { findPublicGuide } from "#app/screens/price-guide/price-guide.server.ts";
import { MISSING_PAGE } from "#app/screens/missing-page.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { structuredData } from "#app/ui/page/structured-data.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state === "shown") {
    const { product, origin } = loaderData;
    return [...productMeta(product, origin), structuredData(productStructuredData(product, origin))];
  }
  return pageMeta(loaderData ? MISSING_PAGE[loaderData.state].title : "Product");
}

/** The public page of a product. Members are led to the product's own page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const memberId = viewer?.profileComplete ? viewer.id : null;
  const { origin } = new URL(request.url);
  const services = context.get(servicesContext);
  const [page, guide] = await Promise.all([
    findPublicProduct(services, params.shortId),
    findPublicGuide(services, params.shortId),
  ]);
  const { others } = page;
  if (page.state === "unknown") return data({ state: page.state, others, origin }, MISSING_PAGE.unknown.status);
  if (page.state === "gone") {
    // On its own page, its seller reads why it is hidden.
    if (memberId === page.sellerId) throw redirect(`/product/${page.id}`);
    return data({ state: page.state, others, origin }, MISSING_PAGE.gone.status);
  }
  const { product } = page;
  if (memberId !== null) throw redirect(`/product/${product.id}`);
  const path = publicProductPath(product);
  if (new URL(screenPath(request), origin).pathname !== path) throw redirect(path, 301);
  return data({ state: page.state, product, guide, others, origin });
}

const form = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("buy"),
    quantity: formNumber(1),
    price: formNumber(),
    revision: formNumber().default(0),
  }),
  z.object({ action: z.literal("message") }),
]);

/**
 * Leads on to the product's own page, where the pressed button takes effect. Visitors log in or sign up on the way. A
 * product that is gone by now is shown again, and says so.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, pendingAction } = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data(null, 400);
  const productId = await findPublicProductId({ db }, params.shortId);
  if (productId === null) return redirect(screenPath(request), 303);
  const earlier = await pendingAction.read(request);
  const pressed = pressedAction(parsed.data, productId, earlier);
  return redirect(pressedPath(pressed), {
    status: 303,
    headers: { "Set-Cookie": await pendingAction.write(pressed) },
  });
}

/** A second press on Buy keeps the key of the first, so that both place the same order. */
function pressedAction(sent: z.infer<typeof form>, productId: string, earlier: PressedAction | null): PressedAction {
  const press = { id: crypto.randomUUID(), productId };
  if (sent.action === "message") return { ...sent, ...press };
  const isAgain = earlier?.action === "buy" && earlier.productId === productId;
  return { ...sent, ...press, orderKey: isAgain ? earlier.orderKey : crypto.randomUUID() };
}

export default function PublicProductPage({ loaderData: page }: Route.ComponentProps) {
  if (page.state !== "shown") return <MissingProduct state={page.state} others={page.others} />;
  return <PublicProductView product={page.product} guide={page.guide} others={page.others} origin={page.origin} />;
}

export { PublicFailure as ErrorBoundary };
