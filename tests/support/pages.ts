/**
 * The pages under test in workerd: the app's own routes, guards, loaders, actions and rendering, assembled like in the
 * build, but without a browser's scripts.
 */
import {
  createRequestHandler,
  RouterContextProvider,
  type ServerBuild,
  UNSAFE_withComponentProps,
  UNSAFE_withErrorBoundaryProps,
} from "react-router";
import { env } from "cloudflare:workers";
import { type RequestInfo, requestContext, servicesContext } from "#app/request/context.ts";
import * as entry from "#app/entry.server.tsx";
import type { Services } from "#app/request/services.ts";

type Module = NonNullable<ServerBuild["routes"][string]>["module"];
/** A route as `app/routes.ts` writes it. */
export interface ListedRoute {
  id?: string;
  path?: string;
  index?: boolean;
  file: string;
  children?: ListedRoute[];
}

const modules = import.meta.glob<Module>(["../../app/root.tsx", "../../app/routes/**/*.{ts,tsx}"], { eager: true });

/** React Router's Vite plugin wraps components, so that they get their data as props. */
function moduleOf(file: string): Module {
  const module = modules[`../../app/${file}`];
  if (!module) throw new Error(`no module ${file}`);
  return {
    ...module,
    ...(module.default
      ? { default: UNSAFE_withComponentProps(module.default as Parameters<typeof UNSAFE_withComponentProps>[0]) }
      : {}),
    ...(module.ErrorBoundary
      ? {
          ErrorBoundary: UNSAFE_withErrorBoundaryProps(
            module.ErrorBoundary as Parameters<typeof UNSAFE_withErrorBoundaryProps>[0],
          ),
        }
      : {}),
  };
}

type Routes = ServerBuild["routes"];

function idOf(route: ListedRoute): string {
  return route.id ?? route.file.replace(/\.tsx?$/, "");
}

function manifestOf(routes: ListedRoute[], parentId: string): Routes {
  const manifest: Routes = {};
  for (const route of routes) {
    const id = idOf(route);
    manifest[id] = { id, parentId, path: route.path, index: route.index, module: moduleOf(route.file) };
    Object.assign(manifest, manifestOf(route.children ?? [], id));
  }
  return manifest;
}

const routes: Routes = {
  root: { id: "root", path: "", module: moduleOf("root.tsx") },
  ...manifestOf(env.TEST_ROUTES, "root"),
};

const build: ServerBuild = {
  entry: { module: entry },
  routes,
  assets: {
    entry: { imports: [], module: "/assets/entry.js" },
    routes: Object.fromEntries(Object.values(routes).flatMap((route) => (route ? [[route.id, assetOf(route)]] : []))),
    url: "/assets/manifest.js",
    version: "test",
  },
  publicPath: "/",
  assetsBuildDirectory: "build/client",
  future: {} as ServerBuild["future"],
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
};

function assetOf(route: NonNullable<Routes[string]>) {
  return {
    id: route.id,
    parentId: route.parentId,
    path: route.path,
    index: route.index,
    hasAction: Boolean(route.module.action),
    hasLoader: Boolean(route.module.loader),
    hasClientAction: false,
    hasClientLoader: false,
    hasClientMiddleware: false,
    hasDefaultExport: Boolean(route.module.default),
    hasErrorBoundary: Boolean(route.module.ErrorBoundary),
    module: `/assets/${route.id}.js`,
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    clientMiddlewareModule: undefined,
    hydrateFallbackModule: undefined,
    imports: [],
    css: [],
  };
}

const handle = createRequestHandler(build, "production");

export function pages(request: Request, services: Services, info: RequestInfo): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(requestContext, info);
  return handle(request, context);
}
