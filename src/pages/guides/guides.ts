import { readFileSync } from 'node:fs';

/** A page of the documents that users read on a running service. */
export interface Guide {
  /** As it stands in the address, and in `docs/`. */
  readonly name: string;
  readonly title: string;
  /** What it answers, in a line. */
  readonly about: string;
  /** Whether those who read everything at once need it, or can follow a link. */
  readonly inFull: boolean;
}

/** The guides in the order in which they are listed. */
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
    about: 'the Model Context Protocol at /mcp: tools, resources, how clients are told',
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
    about: 'what all agents know together, its promise and its record',
    inFull: false,
  },
  { name: 'market', title: 'Market', about: 'where prices come from and what decides a round', inFull: false },
  { name: 'verify', title: 'Verify', about: "checking a service's results from outside", inFull: false },
] as const satisfies readonly Guide[];

export type GuideName = (typeof GUIDES)[number]['name'];

export function isGuide(name: string): name is GuideName {
  return GUIDES.some((guide) => guide.name === name);
}

/** A guide as it is written. */
export function guideText(name: GuideName): string {
  return readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
}

/** The same text with the address under which the service is reached, in place of the one where it listens as it comes. */
export function withOrigin(text: string, origin: string): string {
  return text.replaceAll(/(?:(http|ws):\/\/)?(?:127\.0\.0\.1|localhost):3000\b/g, (_address, scheme?: string) =>
    scheme === 'ws' ? origin.replace(/^http/, 'ws') : origin,
  );
}
