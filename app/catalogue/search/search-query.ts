/** Turns a search into queries of the full-text index `product_search`, in FTS5 syntax. */
import { hasNone, type ListFilters, type ListSort } from "#app/catalogue/browse/list-filters.ts";
import type { Fact } from "#app/catalogue/facts/fact.ts";
import { factText, factWord } from "#app/catalogue/facts/listing-facts.ts";
import { type TypeTable, withNarrower } from "#app/catalogue/types/type-table.ts";
import { type KnownWords, similarWords, type Vocabulary } from "./known-words.ts";
import type { MeantType, Meaning, SaidWords } from "./search-meaning.ts";
import { formsOf, splitWords, stemsOf, writtenApart } from "./search-words.ts";

/** Which listings are searched: those that can be bought, those that can't, or all. */
export type Availability = "available" | "gone" | "all";

const GONE_LAST = ["available", "gone"] as const;

/**
 * A stage of a search. The results of the first stage come first. Each leaves out what earlier ones find, and all that
 * the filters don't leave.
 */
export interface Stage {
  /** What the words must be; null for every listing. */
  query: string | null;
  availability: Availability;
  /** How its results are ordered. */
  sort: Exclude<ListSort, "best">;
  /** Only listings of the viewer's campus, or only others. */
  campus?: "own" | "other";
  /** It matches texts outside the name and the category, which are then shown. */
  inText?: true;
  /** It has words that resemble those of the search. */
  isRespelled?: true;
  /** It finds what is nearest. Asked only where the search itself finds nothing. */
  nearest?: Nearest;
}

/** What the nearest results have of a search. */
export interface Nearest {
  /** Words of the search that they needn't have. */
  without: string[];
  withoutFilters: boolean;
  /** What they have: the other words, the type that was meant, its category, or nothing. */
  by: "words" | "type" | "category" | "nothing";
  /** The type's id. */
  type: string | null;
  /** The category's id. */
  category: string | null;
}

export interface SearchPlan {
  stages: Stage[];
  /** The nearest first. The last finds whatever is for sale. */
  nearest: Stage[];
  limits: Limits;
  /** The viewer's campus, whose listings come first; null for none. */
  campus: string | null;
  /** Finds whatever a stage finds that is not respelled; null for every listing. */
  all: string | null;
}

/** The words of a search that mean one thing together, as queries. */
interface Group {
  words: string[];
  meant: MeantType | null;
  /** What the words say of a thing, as a query; null where they say nothing of it. */
  said: string | null;
  alternatives: Alternatives;
}

/** The filters as listings know them: a type with all that it includes. */
export interface Limits extends Omit<ListFilters, "type"> {
  types: readonly string[];
  /** Only listings of this one. */
  sellerId: string | null;
  /** An id, or plain text: only listings of this category. */
  category: string | null;
}

export function limitsOf(
  { type, ...filters }: ListFilters,
  table: TypeTable,
  { sellerId = null, category = null }: { sellerId?: string | null; category?: string | null } = {},
): Limits {
  return { ...filters, types: type === null ? [] : withNarrower(type, table), sellerId, category };
}

/** The stages of a search. `campus`: the viewer's, whose listings come first. */
export function planSearch(meaning: Meaning, known: Vocabulary, limits: Limits, campus: string | null): SearchPlan {
  const groups = groupsOf(meaning, known);
  const nearest = nearestStages(groups, groupsOf({ ...meaning, named: [] }, known), meaning, limits);
  const plan = { nearest, limits, campus };
  if (groups.length === 0) return { ...plan, stages: [], all: NOTHING };
  const ways = waysOf(groups, meaning);
  const sort = orderOf(limits);
  if (limits.sort === "best")
    return { ...plan, stages: bestStages(groups, ways, limits.campuses.length > 0 ? null : campus), all: ways.all };
  // In other orders, too, the things come before what goes with them. What can't be bought has no place among prices.
  const queries = [...(ways.thing ? [ways.thingInText ?? ways.thing] : []), minus(ways.all, ...ways.things)];
  const order = sort === "newest" ? GONE_LAST : (["available"] as const);
  const stages = queries.flatMap((query) =>
    order.map((availability) => ({ query, availability, sort, inText: true as const })),
  );
  return { ...plan, stages, all: ways.all };
}

/** A list without words: everything that the filters leave. */
export function planList(limits: Limits): SearchPlan {
  const stages: Stage[] = [{ query: null, availability: "available", sort: orderOf(limits) }];
  return { stages, nearest: [], limits, campus: null, all: null };
}

function orderOf({ sort }: Limits): Stage["sort"] {
  return sort === "best" ? "newest" : sort;
}

/** What a search finds, as queries. */
interface Ways {
  /** The thing that it names, or is a model of, with its other words in the name; null where it names none. */
  thing: string | null;
  /** The same with whole words. */
  thingByWord: string | null;
  /** The thing with its other words anywhere; null where there are none. */
  thingInText: string | null;
  /** Things of a similar type; null where there are none. */
  similar: string | null;
  /** What the stages of the thing find, and the others leave out. */
  things: string[];
  all: string;
}

function waysOf(groups: Group[], { head, model }: Meaning): Ways {
  const all = findsAll(groups, "part");
  const is = head ? typeQuery(head.types) : model === null ? null : typeQuery([model]);
  if (is === null) return { thing: null, thingByWord: null, thingInText: null, similar: null, things: [], all };
  const others = groups.filter(({ meant }) => meant === null || meant !== head);
  const named = others.length > 0 ? others : groups;
  // A listing of the type, or of one like it, needs none of the words that name it.
  const besides = others.length > 0 ? [findsAll(groups, "part", head)] : [];
  const thing = others.length > 0 ? allOf([is, inColumns("name", others, "part")]) : is;
  return {
    thing,
    thingByWord: allOf([is, inColumns("name", named, "word")]),
    thingInText: head && others.length > 0 ? allOf([is, ...besides]) : null,
    similar: head && head.similar.length > 0 ? allOf([typeQuery(head.similar), ...besides]) : null,
    things: [head ? is : thing],
    all,
  };
}

/** Things come before what goes with them, names before descriptions, and what can't be bought comes late. */
function bestStages(
  groups: Group[],
  { thing, thingByWord, thingInText, similar, things, all }: Ways,
  campus: string | null,
): Stage[] {
  const inName = (by: keyof Alternatives) => inColumns("name", groups, by);
  const inCategory = inColumns("name category", groups, "part");
  const near = (query: string): Stage[] =>
    campus === null
      ? [available(query)]
      : [
          { ...available(query), campus: "own" },
          { ...available(query), campus: "other" },
        ];
  const isRespelled = groups.some(({ alternatives: { part, spelling } }) => spelling.length > part.length);
  return [
    ...(thing && thingByWord ? [...near(thingByWord), ...near(minus(thing, thingByWord))] : []),
    ...(thing && thingInText ? [{ ...available(minus(thingInText, thing)), inText: true as const }] : []),
    ...near(minus(inName("word"), ...things)),
    available(minus(inName("start"), inName("word"), ...things)),
    available(minus(inName("part"), inName("start"), ...things)),
    available(minus(inCategory, inName("part"), ...things)),
    ...(similar ? [{ ...available(minus(similar, inCategory, ...things)), inText: true as const }] : []),
    { ...available(minus(all, inCategory, ...things, ...(similar ? [similar] : []))), inText: true },
    ...(thing ? [{ ...gone(thingInText ?? thing), inText: true as const }] : []),
    gone(minus(inCategory, ...things)),
    { ...gone(minus(all, inCategory, ...things)), inText: true },
    ...(isRespelled ? respelledStages(minus(findsAll(groups, "spelling"), all)) : []),
  ];
}

function respelledStages(query: string): Stage[] {
  return GONE_LAST.map((availability) => ({ query, availability, sort: "newest", inText: true, isRespelled: true }));
}

/** How many words are left out by turns. */
const LEFT_OUT_MAX = 3;

/**
 * What is nearest to a search that finds nothing, the nearest first. The last finds whatever is for sale. `words`: each
 * as a group.
 */
function nearestStages(
  groups: readonly Group[],
  words: readonly Group[],
  { head, model, category }: Meaning,
  limits: Limits,
): Stage[] {
  const isFiltered =
    limits.sellerId !== null ||
    limits.category !== null ||
    !hasNone({ ...limits, type: limits.types[0] ?? null, sort: "best" });
  const stage = (
    query: string | null,
    by: Nearest["by"],
    without: readonly Group[],
    { type = null, category: near = null, withoutFilters = false }: Partial<Nearest> = {},
  ): Stage => ({
    query,
    availability: "available",
    // The screen says that these are the newest.
    sort: by === "nothing" ? "newest" : orderOf(limits),
    inText: true,
    nearest: { without: without.flatMap((group) => group.words), withoutFilters, by, type, category: near },
  });
  const is = head && typeQuery(head.types);
  const others = groups.filter(({ meant }) => meant === null || meant !== head);
  const fewer = groups.length > 1 ? others.slice(0, LEFT_OUT_MAX) : [];
  const without = (some: readonly Group[], left: Group) => some.filter((group) => group !== left);
  const some = words.length > 1 ? words.slice(0, LEFT_OUT_MAX) : [];
  const type = head?.id ?? null;
  const found = groups.length > 0 ? findsAll(groups, "part") : NOTHING;
  return [
    ...(is
      ? fewer.map((left) => stage(allOf([is, findsAll(without(groups, left), "part")]), "type", [left], { type }))
      : []),
    ...(is && others.length > 0 ? [stage(is, "type", others, { type })] : []),
    ...(isFiltered && groups.length > 0
      ? [...(is ? [allOf([is, found])] : []), found].map((query) => stage(query, "words", [], { withoutFilters: true }))
      : []),
    ...(isFiltered && is && others.length > 0 ? [stage(is, "type", others, { type, withoutFilters: true })] : []),
    ...some.map((left) => stage(findsAll(without(words, left), "part"), "words", [left])),
    ...some.toReversed().map((kept) => stage(findsAll([kept], "part"), "words", without(words, kept))),
    ...(model === null ? [] : [stage(typeQuery([model]), "type", groups, { type: model })]),
    ...(category === null ? [] : [stage(null, "category", groups, { category })]),
    ...(isFiltered ? [stage(null, "nothing", groups)] : []),
    stage(null, "nothing", groups, { withoutFilters: isFiltered }),
  ];
}

function available(query: string): Stage {
  return { query, availability: "available", sort: "newest" };
}

function gone(query: string): Stage {
  return { query, availability: "gone", sort: "newest" };
}

/** The empty phrase, which the index answers without reading. */
const NOTHING = '""';

/** The query for listings of these types. */
function typeQuery(types: readonly string[]): string {
  return types.length === 0 ? NOTHING : `{type} : ${anyOf(types.map((type) => quoted(typeWord(type))))}`;
}

/** A type's id as one word, as the index has it. */
function typeWord(type: string): string {
  return type.replaceAll("-", "");
}

/** The groups of a search: the words of each type that it names and of each fact that it says, and each other word. */
function groupsOf({ words, named, said }: Meaning, known: Vocabulary): Group[] {
  const single = words.map((word, at) => alternativesOf(word, known.get(word), words[at - 1], words[at + 1]));
  const together = (places: readonly number[], by: keyof Alternatives) =>
    allOf(places.map((at) => anyOf(single[at]?.[by] ?? [])));
  const asOne = (places: readonly number[], names: readonly string[]): Alternatives => {
    const [word, start] = [[together(places, "word")], [together(places, "start")]];
    const part = [together(places, "part"), ...names];
    const respelled = places.some((at) => (single[at]?.spelling.length ?? 0) > (single[at]?.part.length ?? 0));
    return { word, start, part, spelling: respelled ? [...part, together(places, "spelling")] : part };
  };
  const groupOf = ({ words: places }: MeantType | SaidWords, of: Partial<Group>, names: readonly string[]): Group => ({
    words: places.map((at) => words[at] ?? ""),
    meant: null,
    said: null,
    alternatives: asOne(places, names),
    ...of,
  });
  return words.flatMap((word, at) => {
    const isOf = (one: MeantType | SaidWords) => one.words.includes(at);
    const [meant, fact] = [named.find(isOf), said.find(isOf)];
    const one = meant ?? fact;
    if (!one) return [{ words: [word], meant: null, said: null, alternatives: single[at] as Alternatives }];
    if (one.words[0] !== at) return [];
    if (meant) return [groupOf(meant, { meant }, meant.names.map(quoted))];
    if (!fact) return [];
    const { words: apart, ...group } = groupOf(fact, { said: factQuery(fact) }, factTexts(fact));
    // What is missing is “size 41”, and not “size” and “41”.
    return [{ ...group, words: fact.values.length > 1 ? apart : [apart.join(" ")] }];
  });
}

/**
 * The query for listings that have what the words say: the index has a word for each choice, and texts among those of
 * the name.
 */
function factQuery({ values }: SaidWords): string {
  const column = (fact: Fact, value: string) =>
    fact.kind === "choice"
      ? `{facts} : ${quoted(factWord(fact, value))}`
      : `{name} : ${quoted(splitWords(value).join(" "))}`;
  return allOf(values.map(({ value, facts }) => anyOf(facts.map((fact) => column(fact, value)))));
}

/** How descriptions may say it: "Size 41", "256 GB", "256GB". None where the words say several values. */
function factTexts({ values }: SaidWords): string[] {
  const [first, ...others] = values;
  if (!first || others.length > 0) return [];
  return first.facts.flatMap((fact) => {
    const words = splitWords(factText(fact, first.value));
    return [quoted(words.join(" ")), ...(fact.unit ? [quoted(words.join(""))] : [])];
  });
}

/** Every group in these columns. */
function inColumns(columns: string, groups: readonly Group[], by: keyof Alternatives): string {
  const [plain, said] = [groups.filter((group) => group.said === null), groups.filter((group) => group.said !== null)];
  return allOf([
    ...(plain.length > 0 ? [`{${columns}} : ${allOf(plain.map(({ alternatives }) => anyOf(alternatives[by])))}`] : []),
    ...said.map((group) => anyOf([`{${columns}} : ${anyOf(group.alternatives[by])}`, ...factsOf(group)])),
  ]);
}

/** One group in any text, or as the type of a listing. */
function anywhere(group: Group, by: "part" | "spelling"): string {
  return anyOf([
    `{name category keywords description} : ${anyOf(group.alternatives[by])}`,
    ...typesOf(group),
    ...factsOf(group),
  ]);
}

function typesOf({ meant }: Group): string[] {
  return meant ? [typeQuery([...meant.types, ...meant.similar])] : [];
}

function factsOf({ said }: Group): string[] {
  return said === null ? [] : [said];
}

/**
 * Every group in the name, the category or the description, or as the type of the listing. The category's description
 * may contribute one of several, if it names no type. So "casio classroom" finds each Casio in the category "for the
 * classroom", but "classroom" doesn't find the pens.
 *
 * @param head a type, whose words needn't be there: all listings that are asked have it, or one like it
 */
function findsAll(groups: readonly Group[], by: "part" | "spelling", head: MeantType | null = null): string {
  const others = groups.filter(({ meant }) => head === null || meant !== head);
  const own = others.map((group) =>
    anyOf([`{name category description} : ${anyOf(group.alternatives[by])}`, ...typesOf(group), ...factsOf(group)]),
  );
  const ways = others.flatMap((group, at) =>
    group.meant || groups.length === 1 ? [] : [allOf([anywhere(group, by), ...own.toSpliced(at, 1)])],
  );
  return ways.length === 0 ? allOf(own) : anyOf(ways);
}

/**
 * The query for listings of these types with all these facts, each with one of its choices; null where no fact is asked
 * for.
 */
export function factsQuery({ facts, types }: Limits): string | null {
  const asked = Object.entries(facts).map(
    ([id, values]) => `{facts} : ${anyOf(values.map((value) => quoted(factWord({ id }, value))))}`,
  );
  return asked.length === 0 ? null : allOf([...asked, ...(types.length > 0 ? [typeQuery(types)] : [])]);
}

/** What the index says of a listing that can be bought, or that can't. */
const AVAILABILITY_QUERY = { available: '{state} : "available"', gone: '{state} : "gone"' };

/** The query for those listings of `query` that can be bought, that can't, or all of them. */
export function withAvailability(query: string, availability: Availability): string {
  return availability === "all" ? query : allOf([`(${query})`, AVAILABILITY_QUERY[availability]]);
}

/**
 * The query for what can be bought and has, for each of these words, a word in its name that begins so. The user is
 * still typing.
 */
export function suggestionQuery(words: readonly string[]): string {
  const alternatives = words.map((word, at) => alternativesOf(word, undefined, words[at - 1], words[at + 1]));
  return withAvailability(`{name} : ${allOf(alternatives.map(({ part }) => anyOf(part)))}`, "available");
}

/** The query for shops whose names have, for each of these words, a word beginning with it. */
export function shopQuery(words: readonly string[]): string {
  return words.length === 0
    ? NOTHING
    : allOf(words.map((word) => (isShort(word) ? quoted(word) : `${quoted(word)} *`)));
}

/**
 * What to highlight in results: the words in all their forms, what else people call the type that they name and, for
 * respelled words, the words that they were taken for.
 */
export function wordsToMark({ words, named }: Pick<Meaning, "words" | "named">, known: Vocabulary): string {
  const all = words.flatMap((word) => [word, ...similarWords(word, known.get(word))].flatMap(formsOf));
  // The first match is highlighted, so "shoes" comes before "shoe".
  return [...new Set([...all, ...named.flatMap(({ names }) => names.filter((name) => !name.includes(" ")))])]
    .toSorted((a, b) => b.length - a.length)
    .join(" ");
}

/** Queries for one word of a search. Each list contains the one before. */
interface Alternatives {
  word: string[];
  start: string[];
  part: string[];
  spelling: string[];
}

function alternativesOf(
  word: string,
  known: KnownWords | undefined,
  before: string | undefined,
  after: string | undefined,
): Alternatives {
  const forms = formsOf(word);
  const asWord = forms.map(quoted);
  const asStart = [...asWord, ...startsOf(word, known)];
  const asPart = [
    ...asStart,
    ...joinedWords(word, before, after).map((joined) => `${quoted(joined)} *`),
    ...forms.flatMap(writtenApart).map((apart) => (apart.open ? `${quoted(apart.words)} *` : quoted(apart.words))),
    ...brandAndModel(word),
    ...(known?.inner ?? []).map(quoted),
  ];
  const similar = similarWords(word, known).flatMap(formsOf).map(quoted);
  return { word: asWord, start: asStart, part: asPart, spelling: [...asPart, ...similar] };
}

/** "hp840g3" is also an HP something 840 G3. */
function brandAndModel(word: string): string[] {
  const [, brand, model] = /^(\p{L}{2,})(\p{N}+\p{L}+\p{N}*)$/u.exec(word) ?? [];
  if (brand === undefined || model === undefined) return [];
  const models = [quoted(model), ...writtenApart(model).map(({ words }) => quoted(words))];
  return [allOf([quoted(brand), anyOf(models)])];
}

/**
 * Words of one or two letters begin too many others. They match beginnings only in names, and the word list doesn't
 * name all of them.
 */
function startsOf(word: string, known: KnownWords | undefined): string[] {
  if (isShort(word)) return [`{name} : ${quoted(word)} *`];
  // A list of whole words is faster to read than everything that begins so.
  if (known?.starts?.length) return known.starts.map(quoted);
  return stemsOf(word).map((stem) => `${quoted(stem)} *`);
}

/** The word joined with the one before or after it, if one of the two is short: "8 gb" is also written "8gb". */
function joinedWords(word: string, before: string | undefined, after: string | undefined): string[] {
  const joined: string[] = [];
  if (before !== undefined && (isShort(word) || isShort(before))) joined.push(before + word);
  if (after !== undefined && (isShort(word) || isShort(after))) joined.push(word + after);
  return joined;
}

/** Where a page of results ended: the stage, the number of the listing's row and, in an order by price, its price. */
export interface SearchCursor {
  stage: number;
  place: number;
  price: number | null;
}

export function writeSearchCursor({ stage, place, price }: SearchCursor): string {
  return price === null ? `${stage}.${place}` : `${stage}.${place}.${price}`;
}

/** Returns null for an unreadable cursor. */
export function readSearchCursor(text: string | null): SearchCursor | null {
  const cursor = /^(?<stage>\d{1,3})\.(?<place>\d{1,15})(?:\.(?<price>\d{1,6}))?$/.exec(text ?? "");
  if (!cursor?.groups) return null;
  const { stage, place, price } = cursor.groups;
  return { stage: Number(stage), place: Number(place), price: price === undefined ? null : Number(price) };
}

/** As a phrase, so that nothing in it is an operator. Words contain no quotes. */
function quoted(words: string): string {
  return `"${words}"`;
}

function anyOf(queries: readonly string[]): string {
  return `(${[...new Set(queries)].join(" OR ")})`;
}

function allOf(queries: readonly string[]): string {
  return `(${queries.join(" AND ")})`;
}

function isShort(word: string): boolean {
  return [...word].length <= 2;
}

/** What `query` finds and none of the others. */
function minus(query: string, ...others: string[]): string {
  return others.length === 0 ? query : `((${query}) NOT ${anyOf(others)})`;
}
