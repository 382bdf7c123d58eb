/** A page in a background tab is never painted. Its scripts start after this time, in ms. */
const LATEST_MS = 1_000;

/**
 * An inline script that starts a page's scripts after the first paint, each in a task of its own, because requesting a
 * file takes a phone some milliseconds.
 * @param modules addresses that the module imports, so that they load in parallel
 * @param module the text of the module that starts the page
 */
export function afterFirstPaint(modules: readonly string[], module: string): string {
  return `(function(d,n,modules,text){
var started;
function start(){if(started)return;started=1;
modules.forEach(function(m){setTimeout(add,0,"link",{rel:"modulepreload",href:m,fetchPriority:"low"})});
setTimeout(add,0,"script",{type:"module",textContent:text})}
function add(name,what){var e=d.createElement(name);e.nonce=n;Object.assign(e,what);d.head.append(e)}
requestAnimationFrame(function(){setTimeout(start)});setTimeout(start,${LATEST_MS})
})(document,document.currentScript.nonce,${literal(modules)},${literal(module)})`;
}

/** A value as script in HTML. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
