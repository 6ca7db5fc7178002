/** The interface of a kind of engine for vendors' services: how its engine is opened and tested. */
import type { Log } from '../config/log.ts';
import type { Engine, EngineContext } from './engine.ts';

/** The address of a service, and the credentials there. */
export interface ServiceAccess {
  /** Without a final slash; it may have a path. */
  readonly url: string;
  /** Null for kinds without `--client`. */
  readonly client: string | null;
  /** The content of the secret file: a secret key, a token, or whatever else the kind uses. */
  readonly secret: string;
}

/** Milliseconds. */
export interface EngineTimes {
  /** How long an operation may take, from its first attempt. */
  readonly patience: number;
  /** The first and the longest pause while the service is unavailable; each is twice as long as the previous one. */
  readonly pauses: { readonly first: number; readonly longest: number };
  /** How long a request waits without progress. */
  readonly answer: number;
  /** Between two polls: the minimum, if the service specifies no interval, and the maximum. */
  readonly poll: { readonly least: number; readonly usual: number; readonly most: number };
}

export const engineTimes: EngineTimes = {
  patience: 10 * 60_000,
  pauses: { first: 1000, longest: 15_000 },
  answer: 45_000,
  poll: { least: 500, usual: 10_000, most: 30_000 },
};

/** What an engine of a service may use. */
export interface EngineTools {
  readonly log: Log;
  readonly times: EngineTimes;
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
  /** Aborts what no operation waits for. */
  readonly stop: AbortSignal;
  /** Admits only a few at a time: a file is in memory while it is received. */
  receive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** The same address with the current credentials: they may be replaced while operations use the engine. */
  findAccess(): Promise<ServiceAccess>;
  /** Reports to the operator that the service refuses the credentials. */
  reportRefusal(reason: string): void;
  /** The slot contexts of the operations at this service that wait or run, except one. */
  listContextsInUse(exceptOperation: string | null): Promise<readonly EngineContext[]>;
}

/** The result of a sweep. */
export interface SweepOutcome {
  /** What was left over at the service, and is now closed there. */
  readonly closed: number;
  /** Why something could not be closed; `part` names where. */
  readonly faults: readonly { readonly part: string; readonly error: unknown }[];
}

/** The engine of one service. */
export interface ServiceEngine extends Engine {
  /**
   * Closes what operations have left open at the service; absent: nothing is ever open there. Called after a start, and
   * after operations have ended.
   */
  sweep?(signal: AbortSignal): Promise<SweepOutcome>;
}

/** The result of a test: a sentence for the operator. */
export interface EngineFinding {
  readonly isRight: boolean;
  readonly text: string;
}

/** A kind of engine. What it offers, to which families, and its settings are in `contract/features/engines`. */
export interface ServiceEngineKind {
  /** Opens the engine of a service. It is kept until the address or the credentials change. */
  open(access: ServiceAccess, tools: EngineTools): ServiceEngine;
  /** Reaches the service with its credentials, and describes the first problem and what to do. */
  test(access: ServiceAccess, now: () => Date): Promise<EngineFinding>;
}
