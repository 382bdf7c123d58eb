import { createContext, type RouterContext, type RouterContextProvider } from "react-router";
import { wantsAllCampuses } from "#app/catalogue/browse/campus-choice.ts";
import { type CampusFeed, campusFeedRead } from "#app/catalogue/browse/campus-feed.server.ts";
import { readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { type CategoryPage, categoryRead } from "#app/catalogue/browse/category.server.ts";
import { readCategoryFilters } from "#app/catalogue/browse/category-panel.ts";
import { type ProductScreenData, productScreenRead } from "#app/catalogue/product/similar.server.ts";
import { lookUpSearch, type SearchLookUp } from "#app/catalogue/search/search.server.ts";
import { readSearchAddress } from "#app/catalogue/search/search-address.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { TYPE_TABLE } from "#app/catalogue/types/types.server.ts";
import { type Read, runRead, type Statement } from "#app/db/batch.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { type OpenStep, openStepsRead } from "#app/screens/home/open-steps.server.ts";
import { type HomePage, homeRead } from "#app/shops/shops.server.ts";

/** What a screen's read depends on. */
interface ScreenInput {
  params: Readonly<Record<string, string | undefined>>;
  searchParams: URLSearchParams;
  /** The request's Cookie header. */
  cookie: string | null;
  viewerId: string;
  now: number;
}

/** What a screen reads in the round trip that finds the viewer, so that it needs no other one. */
export interface ScreenRead<Answer> {
  /** The id of the screen's route. */
  route: string;
  read(input: ScreenInput): Read<Answer>;
  /** Takes the answer for the loader, which may fail; null where the screen wasn't read ahead. */
  answer: RouterContext<(() => Answer) | null>;
}

function screenRead<Answer>(route: string, read: (input: ScreenInput) => Read<Answer>): ScreenRead<Answer> {
  return { route, read, answer: createContext<(() => Answer) | null>(null) };
}

export const homeScreen: ScreenRead<HomePage & { steps: OpenStep[] }> = screenRead(
  "routes/member/home",
  ({ searchParams, cookie, ...view }) => {
    const home = homeRead({ ...view, wantsAll: wantsAllCampuses(searchParams, cookie) });
    const steps = openStepsRead(view.viewerId, view.now);
    const first = home.statements.length;
    return {
      statements: [...home.statements, ...steps.statements],
      read: (answers) => ({ ...home.read(answers.slice(0, first)), steps: steps.read(answers.slice(first)) }),
    };
  },
);

export const feedScreen: ScreenRead<CampusFeed> = screenRead(
  "routes/member/marketplace",
  ({ searchParams, cookie, viewerId, now }) =>
    campusFeedRead(
      {
        viewerId,
        after: searchParams.get("after"),
        filters: readListFilters(searchParams),
        wantsAll: wantsAllCampuses(searchParams, cookie),
      },
      now,
    ),
);

export const categoryScreen: ScreenRead<CategoryPage> = screenRead(
  "routes/member/category",
  ({ params, searchParams, viewerId, now }) =>
    categoryRead(
      {
        viewerId,
        category: params.categoryName ?? "",
        filters: readCategoryFilters(searchParams),
        after: searchParams.get("after"),
      },
      now,
    ),
);

export const productScreen: ScreenRead<ProductScreenData | null> = screenRead(
  "routes/member/product",
  ({ params, ...view }) => productScreenRead(params.productId ?? "", view),
);

/**
 * The words of a search must be looked up before it can ask for products. So it takes two round trips. The viewer's campus
 * isn't known yet: "my campus" is looked up, too.
 */
const searchWords: ScreenRead<SearchLookUp>["read"] = ({ searchParams }) =>
  lookUpSearch(readSearchAddress(searchParams, null).words);

export const searchScreen: ScreenRead<SearchLookUp> = screenRead("routes/member/search", searchWords);

export const searchCountScreen: ScreenRead<SearchLookUp> = screenRead("routes/member/search-count", searchWords);

/** The types by which a text that is being typed is understood. */
export const suggestionsScreen: ScreenRead<TypeTable> = screenRead(
  "routes/member/search-suggestions",
  () => TYPE_TABLE,
);

/** By the pattern of the screen's address. */
export const SCREEN_READS: Readonly<Record<string, ScreenRead<unknown>>> = {
  home: homeScreen,
  studentmarketplace: feedScreen,
  "category/:categoryName": categoryScreen,
  "product/:productId": productScreen,
  search: searchScreen,
  "search/count": searchCountScreen,
  "search/suggestions": suggestionsScreen,
};

interface EarlyRead {
  statements: readonly Statement[];
  /** Stores the answers for the screen's loader. */
  store(context: Readonly<RouterContextProvider>, answers: readonly unknown[]): void;
}

const NO_READ: EarlyRead = { statements: [], store: () => {} };

/**
 * What the screen of a request will read. Nothing for a form's action, and nothing where the router asks only for other
 * routes' data.
 */
export function readAhead(
  request: Request,
  { pattern, ...screen }: { pattern: string; params: ScreenInput["params"]; viewerId: string; now: number },
): EarlyRead {
  const found = SCREEN_READS[pattern];
  const { searchParams } = new URL(request.url);
  const cookie = request.headers.get("Cookie");
  const wanted = searchParams.get("_routes")?.split(",");
  if (!found || !["GET", "HEAD"].includes(request.method) || wanted?.includes(found.route) === false) return NO_READ;
  const { statements, read } = found.read({ ...screen, searchParams, cookie });
  return { statements, store: (context, answers) => context.set(found.answer, () => read(answers)) };
}

/** The screen's data for its loader: read ahead, or now. */
export async function readScreen<Answer>(
  args: { request: Request; params: ScreenInput["params"]; context: Readonly<RouterContextProvider> },
  { answer, read }: ScreenRead<Answer>,
): Promise<Answer> {
  const readEarly = args.context.get(answer);
  if (readEarly) return readEarly();
  const { db, now } = args.context.get(servicesContext);
  const { searchParams } = new URL(args.request.url);
  const cookie = args.request.headers.get("Cookie");
  const viewerId = requireViewer(args.context).id;
  return runRead(db, read({ params: args.params, searchParams, cookie, viewerId, now: now() }));
}
