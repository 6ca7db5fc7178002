/** Keeps the state of one recoding page outside of React, so that a command knows at once what an event has led to. */
import type { DecodeSwitches } from '../families/family-page.ts';
import type { FlowEvent } from './flow-events.ts';
import { type Flow, recodingFlow } from './recoding-flow.ts';

export interface HeldRead {
  readonly file: File;
  readonly switches: DecodeSwitches;
}

export interface FlowStore {
  readonly now: () => Flow;
  /** Changes the state and gives what it has become. */
  readonly tell: (event: FlowEvent) => Flow;
  /** Gives back how to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The read that was last chosen, to be uploaded again, or taken by another page or device. */
  readonly held: () => HeldRead | null;
  readonly hold: (held: HeldRead) => void;
}

/** A store that begins in the given state. `onChange` is called with each event and the state that follows. */
export function flowStore(
  beginning: Flow,
  onChange: (flow: Flow, event: FlowEvent) => void = () => {},
): FlowStore {
  let flow = beginning;
  let held: HeldRead | null = null;
  const listeners = new Set<() => void>();
  return {
    now: () => flow,
    tell: (event) => {
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
