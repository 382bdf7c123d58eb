import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { Theme } from "@radix-ui/themes";
export default function App() {
  return (<html lang="en"><head><meta charSet="utf-8" /><Meta /><Links /></head><body><Theme><Outlet /></Theme><ScrollRestoration /><Scripts /></body></html>);
}
