import { withDeadline } from '../deadline.ts';
import { ANSWER_MS } from '../limits.ts';
import { admitAndRead, bodyOf, inTimeAlready, type RestContext, run } from './answering.ts';
import type { CompiledEndpoint } from './compile.ts';
import type { Data } from './endpoint.ts';
import { checkedVariables } from './variables.ts';

/** The body of an answer, for parameters by name. Counted and checked like a request. Throws `DomainError`. */
export function callEndpoint(endpoint: CompiledEndpoint, context: RestContext, given: Data): Promise<unknown> {
  return withDeadline(ANSWER_MS, async () => {
    const variables = await admitAndRead(endpoint, { context, inTime: inTimeAlready, given: () => given }, () =>
      checkedVariables(endpoint, ({ name }) => given[name]),
    );
    return bodyOf(endpoint, await run(endpoint, { context, variables }), variables);
  });
}
