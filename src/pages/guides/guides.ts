import { readFileSync } from 'node:fs';

export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** `/llms-full.txt` includes it. */
  readonly inFull: boolean;
}

export const GUIDES = [
  {
    name: 'agents',
    title: 'Agents',
    about: 'rules, scoring, limits, what wins, and a bot in thirty lines',
    inFull: true,
  },
  {
    name: 'clients',
    title: 'Clients',
    about:
      'a client and a command line for JavaScript and Python: how to install them, and three commands to a scored prediction',
    inFull: false,
  },
  {
    name: 'mcp',
    title: 'Language models',
    about: 'the Model Context Protocol at /mcp: tools, resources, how to set up clients',
    inFull: true,
  },
  {
    name: 'dashboards',
    title: 'Dashboards',
    about: 'live data over WebSocket and server-sent events, frames and badges for other sites',
    inFull: true,
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    about: 'events that come to your server, signed and in order: setting up, retries, verifying',
    inFull: false,
  },
  {
    name: 'analysts',
    title: 'Analysts',
    about: 'questions with their GraphQL queries; exports and their columns',
    inFull: true,
  },
  { name: 'fairness', title: 'Fairness', about: 'what each figure means, and which to trust', inFull: false },
  {
    name: 'forecast',
    title: 'The forecast',
    about: 'the forecast of all agents together, its guarantee and its record',
    inFull: false,
  },
  { name: 'market', title: 'Market', about: 'where prices come from and what decides a round', inFull: false },
  { name: 'verify', title: 'Verify', about: "checking a service's results from outside", inFull: false },
] as const satisfies readonly Guide[];

export type GuideName = (typeof GUIDES)[number]['name'];

export function isGuide(name: string): name is GuideName {
  return GUIDES.some((guide) => guide.name === name);
}

export function guideText(name: GuideName): string {
  return readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
}

/** Replaces the default address by the service's own. */
export function withOrigin(text: string, origin: string): string {
  return text.replaceAll(/(?:(http|ws):\/\/)?(?:127\.0\.0\.1|localhost):3000\b/g, (_address, scheme?: string) =>
    scheme === 'ws' ? origin.replace(/^http/, 'ws') : origin,
  );
}
