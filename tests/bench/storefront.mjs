/**
 * The entry of Hydrogen's skeleton in the comparison: its build, with a Storefront API that answers in the same
 * process. So no network is measured. A collection has 24 products, as many as our feed.
 */
const NAMES = ["Calculus textbook", "Desk lamp with clamp", "Two-burner gas cooker", "Study chair", "Mini fridge"];

const products = Array.from({ length: 24 }, (_, index) => {
  const title = `${NAMES[index % NAMES.length]} ${index + 1}`;
  return {
    id: `gid://shopify/Product/${8_000_000_000_000 + index}`,
    handle: `product-number-${index}`,
    title,
    featuredImage: {
      id: `gid://shopify/ProductImage/${39_000_000_000_000 + index}`,
      altText: title,
      url: `https://cdn.shopify.com/s/files/1/0688/1755/1382/products/photo-${index}.jpg?v=${1_675_454_100 + index}`,
      width: 3908,
      height: 3908,
    },
    priceRange: { minVariantPrice: price(100 + index), maxVariantPrice: price(200 + index) },
  };
});

function price(amount) {
  return { amount: `${amount}.0`, currencyCode: "USD" };
}

const collection = {
  id: "gid://shopify/Collection/1",
  handle: "all-things",
  title: "All things",
  description: "Everything",
  products: {
    nodes: products,
    pageInfo: { hasPreviousPage: false, hasNextPage: true, startCursor: "a", endCursor: "b" },
  },
};

const shop = {
  id: "gid://shopify/Shop/68817551382",
  name: "Mock.shop",
  description: "",
  primaryDomain: { url: "https://mock.shop" },
  brand: null,
};

function menu(id) {
  const items = ["Collections", "Blog", "Policies", "About"].map((title, index) => ({
    id: `gid://shopify/MenuItem/${id}${index}`,
    resourceId: null,
    tags: [],
    title,
    type: "HTTP",
    url: `https://mock.shop/${title.toLowerCase()}`,
    items: [],
  }));
  return { id: `gid://shopify/Menu/${id}`, items };
}

function answer(query) {
  if (query.includes("query Header")) return { shop, menu: menu(1) };
  if (query.includes("query Footer")) return { menu: menu(2) };
  if (query.includes("query Collection(")) return { collection };
  return {};
}

globalThis.fetch = async (input, init) => {
  const url = String(input?.url ?? input);
  if (!url.includes("graphql")) throw new Error(`The comparison has no network, and ${url} was asked for.`);
  const { query } = JSON.parse(init.body);
  return Response.json({ data: answer(query) });
};

let skeleton;

export default {
  async fetch(request, env, context) {
    // The build takes `fetch` when it is loaded.
    skeleton ??= import("./index.js");
    const { default: worker } = await skeleton;
    return worker.fetch(request, env, context);
  },
};
