import { createClient, HourcastError } from '../../../clients/js/src/index.ts';

/* Does with the JavaScript client what its one argument asks for, and prints what comes of it, a JSON value a line. */

const {
  constructed = [],
  method,
  parameters,
  events,
  rows,
  timeout,
  patience,
  url,
  key,
} = JSON.parse(process.argv[2] ?? '{}');
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
for (const options of constructed) {
  try {
    print({ url: createClient(options).url });
  } catch (error) {
    printError(error);
  }
}
try {
  const client = createClient({
    url,
    key,
    ...(timeout && { timeoutMs: timeout * 1000 }),
    ...(patience !== undefined && { patienceMs: patience * 1000 }),
    onRetry: ({ error, waitMs }) => print({ retried: error.code, wait: waitMs / 1000 }),
  });
  if (method !== undefined) {
    const call = Object.entries(client).find(([name]) => name === method)?.[1];
    print({ answer: await (parameters === undefined ? call() : call(parameters)) });
  }
  if (events !== undefined) for await (const event of client.events(events)) print(event);
  if (rows !== undefined) for await (const row of client.export(rows)) print(row);
} catch (error) {
  printError(error);
}

function printError(error: unknown): void {
  if (!(error instanceof HourcastError)) throw error;
  const { code, status, message, param, retryAfter } = error;
  print({ error: { code, status, message, param, retry_after: retryAfter } });
}
