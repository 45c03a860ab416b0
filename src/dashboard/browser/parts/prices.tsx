import type { PricesFragment } from '../../documents/now.ts';
import { change, price } from '../figures.ts';

interface PricesProps {
  readonly market: PricesFragment;
  /** The assets that the round is about come first and stand out. */
  readonly asked: readonly string[];
}

/** The present prices, the round's own assets first. */
export function Prices({ market, asked }: PricesProps) {
  const isAsked = (symbol: string): boolean => asked.includes(symbol);
  const rows = market.assets.toSorted((one, other) => Number(isAsked(other.symbol)) - Number(isAsked(one.symbol)));
  return (
    <ul class={`prices${market.stale ? ' stale' : ''}`}>
      {rows.map(({ symbol, priceUsd, change1h, change24h }) => (
        <li class={isAsked(symbol) ? 'about' : undefined} key={symbol}>
          <b>{symbol}</b>
          <span class="usd">{price(priceUsd)}</span>
          <Change pct={change1h} over="1 h" />
          <Change pct={change24h} over="24 h" />
        </li>
      ))}
    </ul>
  );
}

/** A change with an arrow and a sign, so that its colour is not needed. */
export function Change({ pct, over }: { readonly pct: number; readonly over: string }) {
  const way = Math.abs(pct) < 0.005 ? 'flat' : pct > 0 ? 'up' : 'down';
  return (
    <span class={`change ${way}`}>
      <i aria-hidden="true">{{ up: '▲', down: '▼', flat: '■' }[way]}</i>
      {change(pct)} <small>{over}</small>
    </span>
  );
}
