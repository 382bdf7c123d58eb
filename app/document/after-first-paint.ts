/** A page in a background tab is never painted. Its scripts start after this time, in ms. */
const LATEST_MS = 1_000;

/**
 * An inline script that starts a page's scripts after the first paint, each in a task of its own, because requesting a
 * file takes a phone some milliseconds.
 * @param modules addresses that the module imports, so that they load in parallel
 * @param module the text of the module that starts the page
 */
export function afterFirstPaint(modules: readonly string[], module: string): string {
  return `{let d=document,{nonce}=d.currentScript,started,
add=(name,what)=>setTimeout(()=>d.head.append(Object.assign(d.createElement(name),what,{nonce}))),
start=()=>{if(started)return;started=1;
${literal(modules)}.map(href=>add("link",{rel:"modulepreload",href,fetchPriority:"low"}));
add("script",{type:"module",textContent:${singleQuoted(module)}})};
requestAnimationFrame(()=>setTimeout(start));setTimeout(start,${LATEST_MS})}`;
}

/** A value as script in HTML. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** A text as script in HTML. A module is full of double quotes, which `literal` would escape. */
function singleQuoted(text: string): string {
  const escaped = text.replaceAll(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("<", "\\u003c");
  return `'${escaped}'`;
}
