import { z } from 'zod';

import { askSources, checkFolder, checkPrices } from '../app/open-market.ts';
import { SECOND } from '../rules/hours.ts';
import { CLOCK_MS, otherClock } from './database.ts';
import { type Remark, type Deployment } from './finding.ts';

const PROBE_MS = 5 * SECOND;

/** For markets of exchanges: whether each responds with prices, and its clock. */
export async function exchanges({ config, now, platform }: Deployment): Promise<readonly Remark[]> {
  await checkFolder(config);
  const stored = typeof platform?.['market'] === 'string' ? platform['market'] : null;
  const [serviceAt, realAt] = ['clock_service_at', 'clock_real_at'].map((name) => Date.parse(String(platform?.[name])));
  const aheadMs = (serviceAt ?? 0) - (realAt ?? 0);
  if (platform !== null) checkPrices(config, stored, { speed: config.clockSpeed, aheadMs });
  const kind = config.market ?? stored;
  if (kind !== 'live') return [{ note: `Prices do not come from exchanges: ${kind ?? 'the first start chooses'}.` }];
  const sources = await askSources(config, { now, random: () => 0 });
  const nearest = sources.aheadMs.toSorted((one, other) => Math.abs(one) - Math.abs(other))[0] ?? 0;
  return [
    ...sources.status.map(({ source, state, lastError }) =>
      state === 'up' && lastError === null ? null : `${source} returns no prices: ${lastError ?? 'no answer'}`,
    ),
    Math.abs(nearest) > CLOCK_MS ? otherClock(nearest, 'that of the exchanges') : null,
  ];
}

const READINESS = z.object({ not_ready: z.record(z.string(), z.string()) });
const ATTENTION = z.object({ alarms: z.array(z.object({ alarm: z.string(), what: z.string() })) });
const REFUSAL = z.object({ code: z.string(), error: z.string() });

/** The service here or at HOURCAST_URL: its state, and with ADMIN_TOKEN its alarms. */
export async function service({
  config: { host, port, role, adminToken },
  variables,
}: Deployment): Promise<readonly Remark[]> {
  const given = variables['HOURCAST_URL'];
  const url = given?.replace(/\/+$/, '') || `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const signal = AbortSignal.timeout(PROBE_MS);
  const headers = { authorization: `Bearer ${adminToken}` };
  const read = async (path: string): Promise<unknown> =>
    fetch(`${url}${path}`, { signal, ...(path.startsWith('/admin') && { headers, redirect: 'error' }) })
      .then(async (answer) => answer.json())
      .catch(() => null);
  const probe = READINESS.safeParse(await read('/readyz'));
  if (!probe.success)
    return [given ? `${given} does not answer as Hourcast does.` : { note: `No service answers at ${url}.` }];
  const unready = Object.values(probe.data.not_ready);
  // A feed process has no actions, and so no alarms.
  if (adminToken === undefined || (role === 'feed' && !given)) return unready;
  const answer = await read('/admin/attention');
  const seen = ATTENTION.safeParse(answer);
  if (!seen.success) {
    const { code, error = 'no answer' } = REFUSAL.safeParse(answer).data ?? {};
    if (code === 'unauthenticated') return [...unready, `${url} refuses ADMIN_TOKEN: it must be that of the service.`];
    if (code === 'unknown_path') return [...unready, `${url} has no ADMIN_TOKEN: it must be set there, too.`];
    return [...unready, `${url} does not return its alarms: ${error}`];
  }
  return [
    ...unready,
    ...seen.data.alarms.flatMap(({ alarm, what }): readonly Remark[] => {
      if (alarm === 'NotReady') return [];
      const remark = `${alarm}: ${what}`;
      // The alarm needs two minutes; one observation is not enough.
      return [alarm === 'PoolExhausted' ? { note: remark } : remark];
    }),
  ];
}
