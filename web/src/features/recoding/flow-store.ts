/** Holds the state of one recoding page outside of React, so that a command knows at once what an event has made of it. */
import type { FlowEvent } from './flow-events.ts';
import { type Flow, recodingFlow } from './recoding-flow.ts';

export interface FlowStore {
  readonly now: () => Flow;
  /** Changes the state and gives what it has become. */
  readonly tell: (event: FlowEvent) => Flow;
  /** Gives back how to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The read file that was last chosen, for another page or another device to take. */
  readonly heldFile: () => File | null;
  readonly hold: (file: File) => void;
}

/** A store that begins in the given state. */
export function flowStore(beginning: Flow): FlowStore {
  let flow = beginning;
  let held: File | null = null;
  const listeners = new Set<() => void>();
  return {
    now: () => flow,
    tell: (event) => {
      flow = recodingFlow(flow, event);
      for (const listener of listeners) listener();
      return flow;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    heldFile: () => held,
    hold: (file) => {
      held = file;
    },
  };
}
