import type { QueryResolvers } from './schema-types.ts';

const SERVICE_NAME = 'Hourcast';

export const healthQueries = {
  health: (_root, _args, { clock, market, version }) => ({
    status: 'ok',
    service: SERVICE_NAME,
    timestamp: clock.now(),
    version,
    marketSource: market.source,
    warning: market.warning,
    sources: market.status(),
  }),
} satisfies QueryResolvers;
