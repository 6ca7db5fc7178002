/** What the checks of `recodery doctor` return. */

/** `warning` does not make the command fail. */
export type State = 'ok' | 'warning' | 'wrong';

/** The result of one check: a sentence, with what to do if anything must be done. */
export interface DoctorFinding {
  readonly what: string;
  readonly state: State;
  readonly text: string;
}

/** A result without the name of its check. */
export type Judgment = readonly [State, string];
