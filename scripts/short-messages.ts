/**
 * React Router explains a developer's mistakes in sentences, which every first visit would download. The build for
 * browsers replaces each by the place that it stands at, such as `hooks:90`: line 90 of the installed `lib/hooks.js`.
 */
import { parseAst, type Plugin } from "vite";
import { assertCheckedVersions } from "#scripts/library-versions.ts";
import { isSyntaxNode, type SyntaxNode } from "#scripts/syntax.ts";

const MODULE = /\/node_modules\/react-router\/dist\/production\/(?:lib\/)?([\w/-]+)\.js(\?|$)/;

/** Functions that take such a sentence, and which of their arguments it is. `TypeError` is missing: browsers throw it, too. */
const SENTENCES: Record<string, number> = {
  invariant: 1,
  warning: 1,
  Error: 0,
  "console.warn": 0,
  "console.error": 0,
};

/** The `code` of the module `name` with a place instead of each sentence. */
export function shortenMessages(code: string, name: string): string {
  const found: SyntaxNode[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isSyntaxNode(node)) return;
    if (isCall(node)) {
      const sentence = node.arguments[SENTENCES[code.slice(node.callee.start, node.callee.end)] ?? Infinity];
      if (sentence && isSentence(sentence)) return void found.push(sentence);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code).body);
  return found.reduceRight((text, { start, end }) => {
    const line = code.slice(0, start).split("\n").length;
    return `${text.slice(0, start)}"${name}:${line}"${text.slice(end)}`;
  }, code);
}

function isCall(node: SyntaxNode): node is SyntaxNode & { callee: SyntaxNode; arguments: SyntaxNode[] } {
  return node.type === "CallExpression" || node.type === "NewExpression";
}

/** A text that is written out and longer than its place. Variables stay. */
function isSentence(node: SyntaxNode): boolean {
  return ["Literal", "TemplateLiteral", "BinaryExpression"].includes(node.type) && node.end - node.start > 20;
}

/** What a place calls the module: its path in `lib`, because names such as `components` occur in several folders. */
export function nameOf(id: string): string | undefined {
  return MODULE.exec(id)?.[1];
}

/** The build's plugin. */
export function shortMessages(): Plugin {
  return {
    name: "short-messages",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    buildStart: () => assertCheckedVersions(),
    transform(code, id) {
      const name = nameOf(id);
      return name === undefined ? null : { code: shortenMessages(code, name), map: null };
    },
  };
}
