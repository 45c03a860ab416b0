import http, { type RequestListener, type ServerOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** Runs first in a package: what the service uses of Node 24.9, and Node 20 or 22 lacks. A clone has such a Node. */

const MISSING: readonly (readonly [target: object, name: string, value: unknown])[] = [
  [Map, 'groupBy', groupBy],
  [Promise, 'withResolvers', withResolvers],
  [URL, 'parse', parseUrl],
  [globalThis, 'AsyncDisposableStack', disposableStack()],
];

for (const [target, name, value] of MISSING) {
  if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

/** Node 20 has it behind a flag. Prices are read with it, digit by digit. */
const source = JSON.parse('0', (_key, _value, context?: { readonly source?: string }) => context?.source);
if (source === undefined) setFlagsFromString('--harmony-json-parse-with-source');

if (!('shouldUpgradeCallback' in http.createServer())) {
  Object.assign(http, { createServer: serverMaker() });
  syncBuiltinESMExports();
}

function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const nothing = (): void => {};

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolve: PromiseWithResolvers<Value>['resolve'] = nothing;
  let reject: PromiseWithResolvers<Value>['reject'] = nothing;
  const promise = new Promise<Value>((...functions) => void ([resolve, reject] = functions));
  return { promise, resolve, reject };
}

function parseUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

/** Node before 22.21, and 24 before 24.9, upgrades all requests that offer it: this asks `shouldUpgradeCallback` there. */
function serverMaker() {
  const { createServer, IncomingMessage } = http;
  const addHeaderLines: (...lines: unknown[]) => void = Reflect.get(IncomingMessage.prototype, '_addHeaderLines');
  return (given: ServerOptions | RequestListener, listener?: RequestListener) => {
    if (typeof given === 'function') return createServer(given);
    const options = given;
    class Request extends IncomingMessage {
      declare upgrade: boolean;

      /** The first call after Node has read the head, and before it looks at `upgrade`. CONNECT offers no protocol. */
      _addHeaderLines(...lines: unknown[]): void {
        addHeaderLines.apply(this, lines);
        if (this.upgrade && this.headers.upgrade !== undefined)
          this.upgrade = options.shouldUpgradeCallback?.(this) ?? true;
      }
    }
    return createServer({ ...options, IncomingMessage: Request }, listener);
  };
}

/** The class keeps to the part that the service uses. */
function disposableStack() {
  return class Stack {
    #callbacks: (() => unknown)[] = [];
    #disposed = false;

    use<Value extends AsyncDisposable | Disposable | null | undefined>(value: Value): Value {
      if (value === null || value === undefined) return value;
      const dispose = Symbol.asyncDispose in value ? value[Symbol.asyncDispose] : value[Symbol.dispose];
      this.defer(() => dispose.call(value));
      return value;
    }

    defer(callback: () => unknown): void {
      if (this.#disposed) throw new ReferenceError('This stack has already been disposed');
      this.#callbacks.push(callback);
    }

    move(): Stack {
      const moved = new Stack();
      moved.#callbacks = this.#callbacks.splice(0);
      this.#disposed = true;
      return moved;
    }

    /** The last first; an error stops none of the others. */
    async disposeAsync(): Promise<void> {
      this.#disposed = true;
      const errors: unknown[] = [];
      for (const callback of this.#callbacks.splice(0).toReversed()) {
        try {
          await callback();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 1) throw new AggregateError(errors, 'Several errors during disposal');
      if (errors.length === 1) throw errors[0];
    }

    [Symbol.asyncDispose](): Promise<void> {
      return this.disposeAsync();
    }
  };
}
