/**
 * The work of this tab: what the user has started and the server does not have yet. It is created once, in `main`, and
 * outlives the pages: a page that is opened again finds its uploads and changes. The server has everything else.
 *
 * Its parts are made by the features when their code is loaded: `recoding/flow/live-pages` and `trays/live-tray`. Each
 * draws its states in its header.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Call } from './call.ts';

export class Work {
  readonly call: Call;
  /** What the server has returned. */
  readonly queries: QueryClient;
  /** By the functions that made them. */
  readonly #parts = new Map<(work: Work) => unknown, unknown>();

  constructor(call: Call, queries: QueryClient) {
    this.call = call;
    this.queries = queries;
  }

  /** The part of the work that a function makes; it is called once. */
  part<P>(make: (work: Work) => P): P {
    if (!this.#parts.has(make)) this.#parts.set(make, make(this));
    // made by this function
    return this.#parts.get(make) as P;
  }
}

export const WorkContext = createContext<Work | null>(null);

/** The work of this tab. */
export function useWork(): Work {
  const work = use(WorkContext);
  if (work === null) throw new Error('rendered outside of the application');
  return work;
}
