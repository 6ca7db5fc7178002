/** A server for code that takes `call` as an argument. */
import type { Route } from '@recodery/contract/api';
import type { Call, CallOptions } from '../../src/api/call.ts';

/** What the server answers; it rejects as `call` does. */
export type Respond = (
  route: Route,
  input: { readonly body?: unknown; readonly params?: unknown },
  options?: CallOptions,
) => Promise<unknown>;

/** Calls that `respond` answers. */
export function callsTo(respond: Respond): Call {
  const call = (...[route, input = {}, options]: Parameters<Call>): Promise<unknown> =>
    respond(route, input, options);
  // the test answers what the route returns
  return call as Call;
}
