import { send } from '../support/http.ts';
import { asBody, type Body } from './json.ts';

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export interface Client {
  /** The body of a GET that has to succeed. */
  get(path: string, key?: string): Promise<Body>;
  ask(method: string, path: string, options?: { key?: string; body?: Body }): Promise<Answer>;
}

export function httpClient(base: string): Client {
  const ask: Client['ask'] = async (method, path, options) => {
    const { status, body } = await send(base, { method, path, ...options });
    return { status, body: asBody(body, `the answer to ${method} ${path}`) };
  };
  return {
    ask,
    get: async (path, key) => {
      const { status, body } = await ask('GET', path, key === undefined ? {} : { key });
      if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}
