import { PAGE_SIZES } from '../limits.ts';
import { agentGroups } from '../reads/breakdowns.ts';
import { type DayRange, fieldGroups, modelGroups } from '../reads/field-groups.ts';
import { sharedRecord } from '../reads/head-to-head.ts';
import { pageSize } from '../reads/paging.ts';
import {
  breakdownFigures,
  byModelEdge,
  byValues,
  checkDay,
  checkDimensions,
  checkModelsAlone,
  checkOneRange,
  checkWindowOfAgents,
} from '../rules/breakdowns.ts';
import { agentWith } from './planned.ts';
import type { QueryBreakdownArgs, Resolvers } from './schema-types.ts';

export const breakdownResolvers = {
  Query: {
    async breakdown(_root, { by, agentId, ...period }, { services: { read } }) {
      checkDimensions(by);
      const days = daysOf(period);
      const groups = await read((em) => {
        if (agentId != null) return agentGroups(em, by, { agents: agentId, days });
        if (by.includes('MODEL')) {
          checkModelsAlone(by, !('window' in days) && (days.from ?? days.to) !== null);
          return modelGroups(em, period.window ?? 'alltime');
        }
        if (!by.includes('AGENT')) return fieldGroups(em, by, days);
        const window = period.window ?? null;
        checkWindowOfAgents(window);
        return agentGroups(em, by, { agents: { leadersOf: window }, days });
      });
      return groups
        .toSorted((one, other) => byValues(by, one.values, other.values))
        .map(({ values, sums }) => ({
          keys: by.map((dimension, at) => ({ dimension, value: values[at] ?? '' })),
          ...breakdownFigures(sums),
        }));
    },
    async models(_root, { period, limit }, { services: { read } }) {
      const first = pageSize('limit', limit, PAGE_SIZES.models);
      const groups = await read((em) => modelGroups(em, period ?? 'weekly'));
      return groups
        .map(({ values: [model = ''], sums }) => ({ model, ...breakdownFigures(sums) }))
        .toSorted(byModelEdge)
        .slice(0, first);
    },
    headToHead: (_root, { a, b, window }, { services: { read } }) =>
      read((em) => sharedRecord(em, { a, b }, window ?? 'alltime')),
  },
  HeadToHead: {
    a: ({ aId }, _args, context, info) => agentWith(aId, context, info),
    b: ({ bId }, _args, context, info) => agentWith(bId, context, info),
  },
} satisfies Resolvers;

function daysOf({ window, from, to }: Omit<QueryBreakdownArgs, 'by' | 'agentId'>): DayRange {
  checkOneRange(window != null, from != null || to != null);
  if (window != null) return { window };
  if (from != null) checkDay('from', from);
  if (to != null) checkDay('to', to);
  return { from: from ?? null, to: to ?? null };
}
