import { unreadableRequest } from '../http/bodies.ts';
import { type CompiledEndpoint, pathPattern, type Table } from './compile.ts';
import type { Data } from './endpoint.ts';

export interface Route {
  /** The path in Express's syntax, for logs and metrics. */
  readonly pattern: string;
  readonly rows: ReadonlyMap<string, CompiledEndpoint>;
  /** The path's parameters. Throws for one that cannot be decoded. */
  readonly parametersOf: (path: string) => Data;
}

const NONE: Data = {};

/** Finds a path's rows or null. Fixed paths precede those with parameters. */
export function routesOf(table: Table): (path: string) => Route | null {
  const fixed = new Map<string, Route>();
  const open: { readonly matches: RegExp; readonly route: Route }[] = [];
  for (const [path, endpoints] of Map.groupBy(table.values(), (endpoint) => endpoint.path)) {
    const rows = new Map<string, CompiledEndpoint>(endpoints.map((endpoint) => [endpoint.method, endpoint]));
    const pattern = pathPattern(path);
    const fixedParts = path.replaceAll('.', String.raw`\.`);
    const matches = new RegExp(`^${fixedParts.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
    if (path.includes('{')) open.push({ matches, route: { pattern, rows, parametersOf: parametersBy(matches) } });
    else fixed.set(path, { pattern, rows, parametersOf: () => NONE });
  }
  return (given) => {
    const path = given.endsWith('/') ? given.slice(0, -1) : given;
    return fixed.get(path) ?? open.find(({ matches }) => matches.test(given))?.route ?? null;
  };
}

function parametersBy(matches: RegExp): Route['parametersOf'] {
  return (path) => {
    const values = Object.entries(matches.exec(path)?.groups ?? {});
    try {
      return Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)]));
    } catch {
      throw unreadableRequest();
    }
  };
}
