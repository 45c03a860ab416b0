import { agentPath, roundPath } from '../addresses.ts';
import { signedUsd } from '../figures.ts';
import type { HourNow } from '../round-now.ts';
import { TITLES } from '../titles.ts';
import { TabTitle, useNow } from './countdown.tsx';
import { OwnResult } from './later.tsx';
import { Ended } from './round-list.tsx';

/** After an hour's end its result is new for this time. */
const NEW_MS = 600_000;

/** The last hour's result: a strip while it is new, then a quiet line of the same height. The tab's title has it too. */
export function EndedHour({ hour: { round, recent } }: { readonly hour: HourNow }) {
  const [last] = recent;
  const [best] = last?.best.nodes ?? [];
  const isNew = useNow() - Date.parse(last?.endTime ?? '') < NEW_MS;
  return (
    <div class={isNew ? 'ended-hour new' : 'ended-hour'} role="status" aria-atomic="false">
      <TabTitle
        to={round?.status === 'active' ? round.endTime : ''}
        outcome={isNew ? last?.outcome : null}
        title={TITLES.now}
      />
      {last ? (
        <p key={`${last.id} ${last.status} ${last.outcome}`}>
          <a href={roundPath(last.id)}>Round {last.id}</a> <Ended round={last} />
          {best?.pnlUsd != null && best.pnlUsd > 0 && (
            <span>
              Best: <a href={agentPath(best.agentId)}>{best.agentName}</a> {signedUsd(best.pnlUsd)}
            </span>
          )}
          {last.outcome != null && <OwnResult round={last.id} />}
        </p>
      ) : (
        <p>No hour has ended yet.</p>
      )}
    </div>
  );
}
