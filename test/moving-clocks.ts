/*
 * Suites on a clock that moves by itself, and why a test cannot hand it its moments. All others have a clock that stands
 * still until they move it, so that no machine is too slow for them; what these assert is awaited, and holds however
 * late it comes. projects.test.ts holds the list by what the suites import.
 */

export interface MovingClocks {
  readonly why: string;
  readonly suites: readonly string[];
}

export const MOVING_CLOCKS: readonly MovingClocks[] = [
  {
    why: 'The clock itself is tested: that it moves, over starts and at its speed, and what it makes of a machine’s.',
    suites: [
      'test/clock.test.ts',
      'test/app/open-clock.test.ts',
      'test/long/faults/clock.test.ts',
      'test/process/{clock,wrong-clock}.test.ts',
    ],
  },
  {
    why: 'Timers wake the jobs at an hour’s end: it must come by itself. Where hours are counted, it waits for a slow machine.',
    suites: ['test/jobs/jobs.test.ts'],
  },
  {
    why: 'Real processes are broken or stopped while hours end in them, which takes seconds each.',
    suites: [
      'test/long/faults/{disk-full,eight-processes,failover,failover-without-restart,feed-processes,kill-loop,line-to-postgres,pooler-and-balancer,postgres,redis,worker-kills}.test.ts',
      'test/process/{feed-role,live-prices,roles}.test.ts',
    ],
  },
  {
    why: 'Programs and commands are run as their users run them, through hours that take seconds each.',
    suites: [
      'test/backup/backup.test.ts',
      'test/clients/{packages,through-a-kill}.test.ts',
      'test/examples/examples.test.ts',
      'test/long/contributing/recipes.test.ts',
      'test/long/deployment/{image,machine,older-postgres,own-server}.test.ts',
      'test/long/package/package.test.ts',
      'test/long/history/calm.test.ts',
      'test/operating/{doctor,runtime-role}.test.ts',
      'test/process/witnesses.test.ts',
      'test/scripts/{demo,readme}.test.ts',
    ],
  },
  {
    why: 'A real process, or all of one, is started at real speed; what is asserted is the same in every hour, and over its end.',
    suites: [
      'test/database/embedded-postgres.test.ts',
      'test/export/memory.test.ts',
      'test/long/faults/answered-then-killed.test.ts',
      'test/long/feed/kept-by-sockets.test.ts',
      'test/long/feed/kept-by-streams.test.ts',
      'test/long/page/site.test.ts',
      'test/long/standing/kills.test.ts',
      'test/process/{command-line,database-rights,ending-a-start,log-output,refusals,starting,stopping}.test.ts',
    ],
  },
];
