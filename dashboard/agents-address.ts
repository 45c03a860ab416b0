import type { AgentsQueryVariables } from './documents/agents.ts';

/** The list of an address: all agents by points, or by name those whose name begins so. */
export function agentsIn(search: string): AgentsQueryVariables {
  const parameters = new URLSearchParams(search);
  return agentsNamed(parameters.get('name')?.trim(), parameters.get('after'));
}

export function agentsNamed(name: string | undefined, after: string | null = null): AgentsQueryVariables {
  return { nameStartsWith: name || null, orderBy: name ? 'NAME' : 'POINTS', after };
}

export function agentsPath({ nameStartsWith: name }: AgentsQueryVariables, after: string): string {
  return `/agents?${new URLSearchParams({ ...(name && { name }), after }).toString()}`;
}
