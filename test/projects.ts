/*
 * To which project of jest.config.js a suite belongs. It stands beside what it tests, so neither folder nor name tells:
 * these lists do, and a suite that none of them names is of `service`, where everything runs. projects.test.ts holds them
 * by what the suites import.
 */

/** Need neither a database nor a process of their own, and take little time. */
export const UNIT = [
  'test/app/{command-line,open-database,open-market}.test.ts',
  'test/{batching,clock,config,deadline,documents,driver-imports,imports,in-flight,logger,projects,quoted-ratios,source-text,turns}.test.ts',
  'test/backplane/redis/address.test.ts',
  'test/clients/{backtest,reference}.test.ts',
  'test/dashboard/{addresses,arena-record,hour-now,market-moves,scales,shares,use-board}.test.ts',
  'test/database/{connection,pg-error-listeners,replica-watch}.test.ts',
  'test/export/csv.test.ts',
  'test/feed/{frames,keep-alive}.test.ts',
  'test/graphql/{cost,design-examples,documents,json-reader,operation}.test.ts',
  'test/oracle/rules.test.ts',
  'test/http/answer-cache.test.ts',
  'test/market/!(drivers|shared-data).test.ts',
  'test/mcp/guide.test.ts',
  'test/operating/deploy-files.test.ts',
  'test/market/{live,replay,simulated}/*.test.ts',
  'test/market/live/exchanges/{evidence,real-candles,recorded-bodies}.test.ts',
  'test/openapi/reference.test.ts',
  'test/pages/bundle.test.ts',
  'test/pages/guides/{tables,texts}.test.ts',
  'test/pages/pictures/*.test.ts',
  'test/resolvers/{schema,standings}.test.ts',
  'test/rest/calendar.test.ts',
  'test/rules/**/*.test.ts',
  'test/scripts/{house-agents,story}.test.ts',
  'test/support/some-executed.test.ts',
  'test/verify/{folder-check,round-references,several-sources,waiting}.test.ts',
  'test/webhooks/addresses.test.ts',
];

/** Start processes, and mostly wait for them. */
export const PROCESS = [
  'test/backplane/queue.test.ts',
  'test/clients/{backtest-languages,command-line,golden,retries,review-figures,watch}.test.ts',
  'test/database/launcher.test.ts',
  'test/openapi/samples.test.ts',
  'test/operating/{audit-verdict,command,doctor,leaked-key,runtime-role}.test.ts',
  'test/pages/guides/bot.test.ts',
  'test/process/!(ending-a-start|live-prices|roles|taking-over|wrong-clock).test.ts',
  'test/verify/{settings,verify}.test.ts',
  'test/webhooks/{certificates,kills,signatures}.test.ts',
];

/** Take minutes; `npm run test:long` runs them. */
export const LONG = [
  'test/long/**/*.test.ts',
  // Hundreds of rounds, each applied and then counted anew.
  'test/jobs/{amendments,field-tallies}.test.ts',
  'test/jobs/killed-amendments.test.ts',
  'test/jobs/standings/standings.test.ts',
  // Faults and lies of exchanges in all pairs, each through to a decided round.
  'test/market/live/exchanges/{fault-rounds,fault-table,lying-source}.test.ts',
  // Who reads slowly, or much: what the service keeps for them is measured over time.
  'test/export/{memory,readers}.test.ts',
  'test/feed/slow-reader.test.ts',
  // Weeks of recorded minutes, with a reference for each moment.
  'test/fairness/characters.test.ts',
  // A browser, in which every page is opened by day and by night, and one is left open for a day.
  'test/pages/guides/looks.test.ts',
  'test/dashboard/{agent,board,embeds,long-names,long-open,me,one-state,pages,states}.test.ts',
  // A played service, which is verified whole once for each error.
  'test/verify/planted-errors.test.ts',
  // Processes and servers that are killed, held up, started with a wrong clock, or several on one Redis.
  'test/database/embedded-postgres.test.ts',
  'test/feed/survivor.test.ts',
  'test/process/{ending-a-start,roles,taking-over,wrong-clock}.test.ts',
  // Real processes over several hours of a fast clock.
  'test/clients/{generators,packages,through-a-kill}.test.ts',
  'test/examples/{analysis,examples}.test.ts',
  'test/process/live-prices.test.ts',
  'test/backup/backup.test.ts',
  'test/scripts/{demo,readme}.test.ts',
];
