/*
 * To which project of jest.config.js a suite belongs. It stands beside what it tests, so neither folder nor name tells:
 * these lists do, and a suite that none of them names is of `service`, where everything runs. projects.test.ts holds them
 * by what the suites import.
 */

/** Need neither a database nor a process of their own, and take little time. */
export const UNIT = [
  'test/app/{open-database,open-market}.test.ts',
  'test/{batching,clock,command-line,config,deadline,documents,driver-imports,github-files,imports,in-flight,logger,projects,quoted-ratios,source-text,turns,words}.test.ts',
  'test/backplane/redis/address.test.ts',
  'test/candles/import-candles.test.ts',
  'test/clients/{backtest,reference}.test.ts',
  'test/dashboard/{addresses,agent-verdict,arena-record,document-costs,hour-now,market-moves,refusals,scales,use-board}.test.ts',
  'test/database/{connection,failures,pg-error-listeners,replica-watch,session}.test.ts',
  'test/export/csv.test.ts',
  'test/feed/{frames,keep-alive,kept-memory,state-subscription}.test.ts',
  'test/graphql/{cache-policy,cost,design-examples,documents,json-reader,operation}.test.ts',
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
  'test/pages/feeds/atom.test.ts',
  'test/pages/pictures/*.test.ts',
  'test/resolvers/{changes,keys,schema,standings}.test.ts',
  'test/rest/calendar.test.ts',
  'test/rules/**/*.test.ts',
  'test/scripts/{house-agents,story,release/contract}.test.ts',
  'test/site/*.test.ts',
  'test/support/some-executed.test.ts',
  'test/transparency/{document,merkle,notes,tiles}.test.ts',
  'test/verify/{log/witness,prices/*,published/waiting}.test.ts',
  'test/webhooks/addresses.test.ts',
];

/** Start processes, and mostly wait for them. */
export const PROCESS = [
  'test/backplane/queue.test.ts',
  'test/clients/{backtest-languages,catching-up,golden,python-types,review-figures,sample,unwritable-output,webhook-headers}.test.ts',
  'test/database/launcher.test.ts',
  'test/openapi/samples.test.ts',
  'test/operating/{audit-verdict,command}.test.ts',
  'test/pages/guides/bot.test.ts',
  'test/process/!(clock|ending-a-start|feed-role|live-prices|roles|stopping|wrong-clock).test.ts',
  'test/scripts/{commit-subjects,measured-commits,release/checks}.test.ts',
  'test/verify/{settings,verify}.test.ts',
  'test/webhooks/{certificates,signatures}.test.ts',
];

/** Take minutes, a browser or many processes; `npm run test:long` runs them. */
export const LONG = [
  'test/long/**/*.test.ts',
  // Hundreds of rounds, each applied and then counted anew.
  'test/jobs/{amendments,field-tallies}.test.ts',
  'test/jobs/boards/board-trends.test.ts',
  'test/jobs/ledger/{kinds,models}.test.ts',
  'test/jobs/killed-amendments.test.ts',
  'test/jobs/ledger/standings.test.ts',
  // Faults and lies of exchanges in all pairs, each through to a decided round.
  'test/market/live/exchanges/{fault-rounds,fault-table,lying-source}.test.ts',
  // Who reads slowly, or much: what the service keeps for them is measured over time.
  'test/export/{memory,readers}.test.ts',
  'test/feed/slow-reader.test.ts',
  // Weeks of recorded minutes, with a reference for each moment.
  'test/fairness/characters.test.ts',
  'test/market/shared-data.test.ts',
  // A browser, in which every page is opened by day and by night, and one is left open for a day.
  'test/graphql/ide-browser.test.ts',
  'test/http/origins-in-a-browser.test.ts',
  'test/operating/admin-page.test.ts',
  'test/pages/guides/{looks,served-in-a-browser}.test.ts',
  'test/dashboard/{agent,board,earlier-rounds,embeds,focus,forecast,large-rounds,links,long-names,long-open,looks,me,odd-hours,one-state,pages,states,turn-of-an-hour,whole-board,words}.test.ts',
  // A field that plays for days, and what is worked out for it whole.
  'test/resolvers/analysts/{paging,played-field,statement-counts}.test.ts',
  // A played service, which is verified whole once for each error, amendment or version of the rules.
  'test/verify/{amendments,forecasts,moving-service,one-lie,planted-errors,rules-versions}.test.ts',
  // Processes and servers that are killed, held up, started with a wrong clock, or several on one Redis.
  'test/database/embedded-postgres.test.ts',
  'test/faults/absent-standby.test.ts',
  'test/operating/{doctor,leaked-key,runtime-role}.test.ts',
  'test/process/{clock,ending-a-start,feed-role,roles,stopping,wrong-clock}.test.ts',
  'test/webhooks/kills.test.ts',
  // Real processes over several hours of a fast clock.
  'test/clients/{changing-commands,command-line,doctor,generators,init,packages,receipts,retries,settings,through-a-kill,watch}.test.ts',
  'test/examples/{analysis,examples}.test.ts',
  'test/process/live-prices.test.ts',
  'test/backup/backup.test.ts',
  'test/scripts/{demo,readme}.test.ts',
];
