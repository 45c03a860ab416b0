import { parseBody, type Body } from './json.ts';

const REQUEST_TIMEOUT = 20_000;

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export interface Client {
  /** The body of a GET that has to succeed. */
  get(path: string, key?: string): Promise<Body>;
  ask(method: string, path: string, options?: { key?: string; body?: Body }): Promise<Answer>;
  reachable(path: string): Promise<boolean>;
}

export function httpClient(base: string): Client {
  const ask: Client['ask'] = async (method, path, { key, body } = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    return { status: response.status, body: parseBody(await response.text(), `the answer to ${method} ${path}`) };
  };
  return {
    ask,
    get: async (path, key) => {
      const { status, body } = await ask('GET', path, key === undefined ? {} : { key });
      if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    reachable: async (path) => {
      try {
        return (await ask('GET', path)).status === 200;
      } catch {
        return false;
      }
    },
  };
}
