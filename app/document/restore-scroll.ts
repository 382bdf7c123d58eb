/**
 * What React Router's ScrollRestoration does before the first paint: it names this entry of the browser's history, and
 * scrolls to where the page was left. The same in half the bytes; React Router's own reports a broken list, too.
 */
export const restoreScroll = `{let list="react-router-scroll-positions";
if(!history.state?.key)history.replaceState({key:Math.random().toString(32).slice(2)},"");
try{let y=JSON.parse(sessionStorage.getItem(list)||"{}")[history.state.key];if(typeof y=="number")scrollTo(0,y)}
catch{sessionStorage.removeItem(list)}}`;
