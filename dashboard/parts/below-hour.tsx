import { BOARD_ROWS, boardIn, boardPath, firstOrder, hasOrder, type ShownBoard } from '../board-address.ts';
import { Rated } from '../documents/board.ts';
import { Next } from '../documents/next.ts';
import type { NowQuery, PricesFragment } from '../documents/now.ts';
import { useAnswer } from '../answers.ts';
import { change, clockTime, price } from '../figures.ts';
import { useNavigation } from '../navigation.ts';
import { plainQuestion } from '../plain-question.ts';
import type { HourNow } from '../round-now.ts';
import { useBoard } from '../use-board.ts';
import { BoardSwitch, OrderLine } from './board-switch.tsx';
import { BoardTable } from './board-table.tsx';
import { FollowedList } from './followed-list.tsx';
import { Empty, Loading, Pending } from './notes.tsx';
import { OwnResult, useOwn } from './own-result.tsx';
import { RoundList, typeName } from './round-list.tsx';

// One file for all that the first page loads later.
export { Daring } from './daring.tsx';
export { OwnResult };

export interface BelowHourProps {
  readonly hour: HourNow;
  readonly market: PricesFragment | null | undefined;
  /** The next round that came with the page. */
  readonly next: NowQuery['nextRound'];
  readonly search: string;
}

/** Prices, the next question, the board and past hours. */
export function BelowHour({ hour, market, next, search }: BelowHourProps) {
  return (
    <>
      <section class="panel market" aria-labelledby="prices">
        <h2 id="prices">
          Prices{' '}
          <small>
            {market === null && 'none yet'}
            {market && (market.stale ? 'out of date' : `${clockTime(market.timestamp)} UTC`)}
          </small>
        </h2>
        {market && <Prices market={market} assets={hour.round?.assets.map(({ symbol }) => symbol) ?? []} />}
      </section>
      <Coming key={hour.round?.id ?? 0} first={next} after={(hour.round ?? hour.recent[0])?.startTime ?? ''} />
      <section class="panel standings" aria-label="Board">
        <NowBoard search={search} />
      </section>
      <section class="panel over" aria-labelledby="over">
        <h2 id="over">
          Hours that are over <a href="/rounds">all rounds</a>
        </h2>
        {hour.recent.length > 0 ? (
          <RoundList rounds={hour.recent} />
        ) : (
          <Empty>No hour has ended yet. The first one shows here a moment after the full hour.</Empty>
        )}
      </section>
    </>
  );
}

/** The top of the address's board; without an order, by edge once enough agents have enough rounds. */
function NowBoard({ search }: { readonly search: string }) {
  const isAsked = hasOrder(search);
  const { data, error } = useAnswer(Rated, isAsked ? null : { period: boardIn(search).period });
  // With an order the board stays while another period loads: the focus is in it.
  if (!isAsked && data === null && error === null) return <Loading />;
  return <Top search={search} shown={boardIn(search, firstOrder(data))} />;
}

function Top({ search, shown }: { readonly search: string; readonly shown: ShownBoard }) {
  const { go } = useNavigation();
  const { board, error, refresh } = useBoard(shown, BOARD_ROWS.now);
  const own = useOwn()?.id;
  const order =
    shown.orderBy === 'EDGE' ? 'By edge: ten agents have 20 rounds.' : 'By points until ten agents have 20 rounds.';
  return (
    <>
      <h2 id="board">
        Board <a href={boardPath('/leaderboard', '', shown)}>whole board</a>
      </h2>
      <BoardSwitch board={shown} choose={(one) => go(boardPath('/', search, one), { replace: true })} />
      <OrderLine>{hasOrder(search) ? null : order}</OrderLine>
      <FollowedList period={shown.period} />
      {board !== null && <BoardTable board={board} own={own} />}
      {board === null && <Pending error={error} again={refresh} />}
    </>
  );
}

interface ComingProps {
  readonly first: NowQuery['nextRound'] | null;
  /** The start of the current or last hour: the next round must be later. */
  readonly after: string;
}

function Coming({ first, after }: ComingProps) {
  const isNext = (round: typeof first): boolean => round != null && round.startTime > after;
  const { data } = useAnswer(Next, {}, { first: isNext(first) ? { nextRound: first } : undefined });
  const next = data?.nextRound;
  if (!next || !isNext(next)) return null;
  return (
    <section class="panel coming" aria-labelledby="coming">
      <h2 id="coming">
        Next{' '}
        <small>
          at {clockTime(next.startTime)} UTC · {typeName(next.questionType)}
        </small>{' '}
        <a href="/api/schedule.ics">add the hours to my calendar</a>
      </h2>
      <p>{plainQuestion(next)}</p>
    </section>
  );
}

interface PricesProps {
  readonly market: PricesFragment;
  /** The round's assets come first, highlighted unless they are all. */
  readonly assets: readonly string[];
}

const COLUMNS = ['Asset', 'USD', '1 h', '24 h'];

/** The round's own assets first. */
function Prices({ market, assets }: PricesProps) {
  const isAsked = (symbol: string): boolean => assets.includes(symbol);
  const rows = market.assets.toSorted((one, other) => Number(isAsked(other.symbol)) - Number(isAsked(one.symbol)));
  const marks = rows.some(({ symbol }) => !isAsked(symbol));
  return (
    <table class={`prices${market.stale ? ' stale' : ''}`}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ symbol, priceUsd, change1h, change24h }) => (
          <tr class={marks && isAsked(symbol) ? 'about' : undefined} key={symbol}>
            <th scope="row">{symbol}</th>
            <td class="usd">{price(priceUsd)}</td>
            <Change pct={change1h} />
            <Change pct={change24h} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Arrow and sign make the colour dispensable. */
function Change({ pct }: { readonly pct: number }) {
  const way = Math.abs(pct) < 0.005 ? 'flat' : pct > 0 ? 'up' : 'down';
  return (
    <td class={`change ${way}`}>
      <i aria-hidden="true">{{ up: '▲', down: '▼', flat: '■' }[way]}</i>
      {change(pct)}
    </td>
  );
}
