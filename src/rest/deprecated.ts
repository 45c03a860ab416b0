import type { Deprecation } from '../rules/deprecations.ts';
import { SECOND } from '../rules/hours.ts';

/** The deprecated parts of an endpoint, in the table's order. */
export interface DeprecatedPart {
  /** Null for the endpoint itself. */
  readonly parameter: string | null;
  readonly use: string;
  /** `Deprecation` of RFC 9745, `Sunset` of RFC 8594. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Rows of the table about REST by the name of the endpoint. */
export function deprecatedIn(name: string, deprecations: readonly Deprecation[]): readonly DeprecatedPart[] {
  return deprecations.flatMap(({ element, use, since, sunset }) => {
    const [endpoint, parameter = null] = element.split('?', 2);
    return endpoint === name ? [{ parameter, use, headers: headersOf(since, sunset) }] : [];
  });
}

function headersOf(since: string, sunset: string | null): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / SECOND}`,
    ...(sunset === null ? {} : { Sunset: new Date(sunset).toUTCString() }),
    Link: '</api/changes>; rel="deprecation"; type="application/json"',
  };
}

/** Throws for rows about REST that name no endpoint or no query parameter of one. */
export function refuseStale(deprecations: readonly Deprecation[], known: ReadonlySet<string>): void {
  const stale = deprecations.filter(({ element }) => element.includes(' ') && !known.has(element));
  if (stale.length > 0)
    throw new Error(`A deprecation names nothing in REST: ${stale.map(({ element }) => element).join(', ')}`);
}

/** The headers for a request to this address: of the endpoint, else of the first deprecated parameter that it has. */
export function deprecationHeaders(
  deprecated: readonly DeprecatedPart[],
  url: string,
): Readonly<Record<string, string>> {
  if (deprecated.length === 0) return {};
  const given = new URLSearchParams(url.split('?', 2)[1]);
  const found =
    deprecated.find(({ parameter }) => parameter === null) ??
    deprecated.find(({ parameter }) => given.has(parameter ?? ''));
  return found?.headers ?? {};
}
