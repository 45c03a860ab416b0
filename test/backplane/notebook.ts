import { EventEmitter, once } from 'node:events';

/** Notes the jobs that run, by their ids; `seen(n)` waits until there are that many. */
export function notebook() {
  const jobs: string[] = [];
  const noted = new EventEmitter();
  return {
    jobs,
    note: async (id: string): Promise<void> => {
      jobs.push(id);
      noted.emit('job');
    },
    seen: async (count: number): Promise<readonly string[]> => {
      while (jobs.length < count) await once(noted, 'job');
      return jobs;
    },
  };
}
