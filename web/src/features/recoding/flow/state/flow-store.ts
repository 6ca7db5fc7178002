/**
 * Stores the state of one recoding page outside of React, so that a command can read the state right after an event.
 */
import type { DecodeSwitches } from '../../families/family-page.ts';
import type { FlowEvent } from './flow-events.ts';
import { type Flow, recodingFlow } from './recoding-flow.ts';

export interface HeldRead {
  readonly file: File;
  readonly switches: DecodeSwitches;
}

export interface FlowStore {
  readonly now: () => Flow;
  /** Applies an event and returns the new state. */
  readonly dispatch: (event: FlowEvent) => Flow;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The read that the page has taken or refused last: to upload it again, or to pass it to another page or device. */
  readonly held: () => HeldRead | null;
  readonly hold: (held: HeldRead) => void;
}

/** A store with the given initial state. `onChange` is called with each event and the state after it. */
export function flowStore(
  beginning: Flow,
  onChange: (flow: Flow, event: FlowEvent) => void = () => {},
): FlowStore {
  let flow = beginning;
  let held: HeldRead | null = null;
  const listeners = new Set<() => void>();
  return {
    now: () => flow,
    dispatch: (event) => {
      flow = recodingFlow(flow, event);
      onChange(flow, event);
      for (const listener of listeners) listener();
      return flow;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    held: () => held,
    hold: (next) => {
      held = next;
    },
  };
}
