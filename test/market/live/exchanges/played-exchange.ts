import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { DIALECTS, type Dialect } from './played-dialects.ts';
import type { SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import { times } from './exact.ts';
import { listening } from '../../../support/listening.ts';
import { shownCandles, type PlayedCandle, type PlayedMarket } from './played-market.ts';

export interface PlayedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What is wrong with an exchange: the candles that it shows, how it writes them, or the reply as a whole. */
export interface Fault {
  readonly candles?: (candles: readonly PlayedCandle[], market: PlayedMarket) => readonly PlayedCandle[];
  readonly swapped?: boolean;
  readonly reply?: (reply: PlayedReply, dialect: Dialect) => PlayedReply | 'close' | 'break off';
  /** What it puts on the wire in place of the reply, before it closes the connection. */
  readonly raw?: (reply: PlayedReply) => Uint8Array;
  /** It takes requests and never answers. */
  readonly hangs?: boolean;
}

export interface PlayedExchange {
  readonly name: SourceName;
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: string[];
  /** Null: it is honest and well. */
  fault: Fault | null;
  /** Answers the next requests with these faults, one each, before `fault` holds again. */
  readonly next: (Fault | null)[];
  stop(): Promise<void>;
}

/** An exchange on loopback that trades `market`; its prices are the market's, times `factor`. */
export async function playExchange(name: SourceName, market: PlayedMarket, factor = '1'): Promise<PlayedExchange> {
  const server = createServer((request, response) => {
    played.requests.push(request.url ?? '');
    const fault = played.next.length > 0 ? (played.next.shift() ?? null) : played.fault;
    answer(request, response, { dialect: DIALECTS[name], market, factor, fault: fault ?? {} });
  });
  const listens = await listening(server);
  const played: PlayedExchange = {
    name,
    url: listens.url,
    requests: [],
    fault: null,
    next: [],
    stop: async () => listens[Symbol.asyncDispose](),
  };
  return played;
}

interface Play {
  readonly dialect: Dialect;
  readonly market: PlayedMarket;
  readonly factor: string;
  readonly fault: Fault;
}

function answer(request: IncomingMessage, response: ServerResponse, play: Play): void {
  if (play.fault.hangs) return;
  const honest = replyTo(new URL(request.url ?? '', 'http://exchange'), play);
  if (play.fault.raw !== undefined) {
    request.socket.end(play.fault.raw(honest));
    return;
  }
  const reply = play.fault.reply?.(honest, play.dialect) ?? honest;
  if (reply === 'close') {
    response.destroy();
    return;
  }
  const { status, headers, text } = reply === 'break off' ? honest : reply;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  if (reply === 'break off') response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
}

function replyTo(url: URL, { dialect, market, factor, fault }: Play): PlayedReply {
  const headers = { 'content-type': 'application/json; charset=utf-8', date: market.now.toUTCString() };
  const request = dialect.requestOf(url);
  if (request === null) return { ...dialect.unknownSymbol, headers };
  const scale = (candle: PlayedCandle): PlayedCandle => scaled(candle, factor);
  if (request.kind === 'prices') {
    const prices = request.assets.map((asset) => {
      const close = shownCandles(market, asset, 300_000).at(-1)?.close ?? '0';
      return [asset, times(close, factor)] as const;
    });
    return { status: 200, headers, text: dialect.prices(prices) };
  }
  const shown = shownCandles(market, request.asset, request.step);
  const within = shown.filter(({ start }) => start >= request.from && start < request.to).map(scale);
  const candles = fault.candles?.(within, market) ?? within;
  return {
    status: 200,
    headers,
    text: dialect.candles(candles, { step: request.step, swapped: fault.swapped ?? false }, request.asset),
  };
}

function scaled(candle: PlayedCandle, factor: string): PlayedCandle {
  const { open, high, low, close } = candle;
  const [o, h, l, c] = [times(open, factor), times(high, factor), times(low, factor), times(close, factor)];
  return { ...candle, open: o, high: h, low: l, close: c };
}
