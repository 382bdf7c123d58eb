import type { FactChoice, FindValues, SaidValue } from "./fact.ts";

const RAM = String.raw`(?:ddr\d?\w? ?)?(?:laptop |desktop )?(?:ram|memory)\b(?!\s*cards?\b)|ddr\d`;
const DISK = String.raw`(?:nvme|m\.?2|internal|external)? ?(?:ssd|hdd|rom|storage|internal|emmc|nvme|hard ?(?:disk|drive))\b`;
/** A number with its unit, with a word for what it is, or with both: "8gb ram", "256 ssd", "1tb". */
const AMOUNT = new RegExp(
  String.raw`(?:(?<before>ram|memory|rom|ssd|hdd|storage)\s*[:-]?\s*)?(?<![\p{L}\p{N}.,-])(?<number>\d{1,4})\s*(?<unit>gb?s?|tb?)?(?!(?!ssd|hdd|ram|rom|emmc)\p{L}{3}|\p{N}|[.,]\d|\s*[x×*]\s*\d)\s*(?:(?:of )?(?:(?<ram>${RAM})|(?<disk>${DISK})))?`,
  "gu",
);
/** "8/256", "8gb+128gb": what a phone has of both. */
const PAIR =
  /(?<![\p{L}\p{N}.,/-])(?<memory>\d{1,2})\s*(?:gb)?\s*(?:ram)?\s*[/+]\s*(?<storage>\d{2,4}|1\s*tb|2\s*tb)\s*(?:gb)?(?:rom|ssd)?(?![\p{N}/])/gu;

/** Swahili has the number behind: "gb 8". */
const BEHIND = /(?<![\p{L}\p{N}]|\p{N}\s)gb(\s+)(\d{1,4})(?![\p{L}\p{N}])/gu;

const GRAPHICS = "graphics?|gpu|vram|nvidia|geforce|radeon|rtx|gtx|dedicated";
/** Behind an amount of something else than the thing: what comes along with it, its graphics card, a data bundle. */
const OF_OTHERS = new RegExp(
  String.raw`^\s*(?:(?:memory|micro ?sd|sd|tf)?\s*cards?|micro ?sd|sd|flash(?:disk)?s?|usb|data|bundles?|${GRAPHICS})(?![\p{L}\p{N}])`,
  "u",
);
/** Before an amount that the thing doesn't have yet, or of which it has several: "expandable to 1tb", "2 x 8gb". */
const MORE_OF_IT = /(?<!\p{L})(?:expand|upgrad|extend)\p{L}*(?:\s+(?:up|to|upto|hadi))*\s*$|\d\s*[x×*]\s*$/u;
const GRAPHICS_BEFORE = new RegExp(String.raw`(?<!\p{L})(?:${GRAPHICS})(?:\s*card)?(?:\s*\d{3,4}(?:ti)?)?\s*$`, "u");

interface Rules {
  what: "memory" | "storage";
  /** From how many gigabytes on an amount is storage where nothing says which of the two it is. */
  storageFrom: number;
  /** Amounts that say storage without a unit: "iPhone 11 128". */
  bare?: readonly number[];
}

/** How much memory or storage a text says that a thing has. The values are in GB. */
export function findGigabytes({ what, storageFrom, bare = [] }: Rules): FindValues {
  return (folded, choices) => {
    // As long as before, so that the places are the same.
    const plain = folded.replaceAll(BEHIND, "$2$1gb");
    const said: SaidValue[] = [];
    const add = (kind: Rules["what"], gigabytes: number, { from, to }: { from: number; to: number }) => {
      const value = String(gigabytes);
      if (kind === what && isChoice(value, choices)) said.push({ value, from, to });
    };
    // Flash disks and memory cards are such things themselves.
    const isOfOthers = (end: number) => storageFrom > 0 && OF_OTHERS.test(plain.slice(end));
    let rest = plain;
    for (const { index, 0: all, groups = {} } of plain.matchAll(PAIR)) {
      const [memory, storage] = [Number(groups.memory), gigabytesOf(groups.storage ?? "")];
      if (memory > 24 || storage < 16 || memory >= storage || isOfOthers(index + all.length)) continue;
      const place = { from: index, to: index + all.length };
      add("memory", memory, place);
      add("storage", storage, place);
      rest = rest.slice(0, index) + " ".repeat(all.length) + rest.slice(index + all.length);
    }
    for (const { index, 0: all, groups = {} } of rest.matchAll(AMOUNT)) {
      const { before = "", number = "", unit = "", ram, disk } = groups;
      const gigabytes = gigabytesOf(number + unit);
      const isRam = ram !== undefined || /ram|memory/.test(before);
      const isDisk = !isRam && (disk !== undefined || before !== "");
      const isCounted = unit.startsWith("gb") || unit === "tb";
      const [ahead, isSaid] = [rest.slice(0, index), isRam || isDisk];
      if (MORE_OF_IT.test(ahead)) continue;
      if (!isSaid && (GRAPHICS_BEFORE.test(ahead) || isOfOthers(index + all.length))) continue;
      const place = { from: index, to: index + all.trimEnd().length };
      if (isRam && gigabytes <= 128) add("memory", gigabytes, place);
      else if (isDisk) add("storage", gigabytes, place);
      else if (isCounted) add(unit === "tb" || gigabytes >= storageFrom ? "storage" : "memory", gigabytes, place);
      else if (unit === "" && bare.includes(gigabytes) && !OTHER.test(rest.slice(index + all.length)))
        add("storage", gigabytes, place);
    }
    return said;
  };
}

/** What follows a number that is no amount of storage. */
const OTHER = /^\s*(?:bits?|[mk]b(?:ps)?|mp|%|k|inch|pcs|pages|hz|mah|w|fps|\/[-=]|bob)(?!\p{L})/u;

function gigabytesOf(amount: string): number {
  return amount.includes("t") ? parseInt(amount, 10) * 1024 : parseInt(amount, 10);
}

function isChoice(value: string, choices: readonly FactChoice[]): boolean {
  return choices.some((choice) => choice.value === value);
}
