import type { PricesFragment } from '../../documents/now.ts';
import { change, price } from '../figures.ts';

interface PricesProps {
  readonly market: PricesFragment;
  /** The assets that the round is about come first, and stand out unless they are all. */
  readonly asked: readonly string[];
}

const COLUMNS = ['Asset', 'USD', '1 h', '24 h'];

/** The present prices, the round's own assets first. */
export function Prices({ market, asked }: PricesProps) {
  const isAsked = (symbol: string): boolean => asked.includes(symbol);
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

/** A change with an arrow and a sign, so that its colour is not needed. */
function Change({ pct }: { readonly pct: number }) {
  const way = Math.abs(pct) < 0.005 ? 'flat' : pct > 0 ? 'up' : 'down';
  return (
    <td class={`change ${way}`}>
      <i aria-hidden="true">{{ up: '▲', down: '▼', flat: '■' }[way]}</i>
      {change(pct)}
    </td>
  );
}
