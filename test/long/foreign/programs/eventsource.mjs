import { EventSource } from 'eventsource';

import { say, url } from './common.mjs';

const { round } = await (await fetch(`${url}/api/rounds/current`)).json();
say({ round: round.id });
const source = new EventSource(`${url}/api/events?after=0&unnamed=true`);
source.addEventListener('message', ({ data }) => {
  const { seq, kind } = JSON.parse(data);
  if (kind !== 'HEARTBEAT') say({ seq });
});
