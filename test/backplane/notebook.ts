import { EventEmitter, once } from 'node:events';

import type { RunningJob } from '../../src/backplane/backplane.ts';

/** Notes the jobs that run; `seen(n)` waits until there are that many. */
export function notebook() {
  const jobs: RunningJob[] = [];
  const noted = new EventEmitter();
  return {
    jobs,
    note: (job: RunningJob): void => {
      jobs.push(job);
      noted.emit('job');
    },
    seen: async (count: number): Promise<readonly RunningJob[]> => {
      while (jobs.length < count) await once(noted, 'job');
      return jobs;
    },
  };
}
