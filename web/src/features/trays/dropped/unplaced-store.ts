/**
 * The dropped files that trays did not accept: they stay in this tab while the user visits other pages. While one
 * of them is not assigned to a read, the browser asks before it closes the page.
 */
import { believedCustomerCode } from '../../../api/customer-code.ts';
import { registerUnsaved } from '../../../ui/dialogs/unsaved-work.ts';
import type { Match } from './match-modified.ts';

/** A dropped file that was not accepted immediately. `key` is unique. */
export interface Unplaced {
  readonly key: string;
  readonly file: File;
  readonly sha256: string | null;
  readonly match: Match;
}

const none: readonly Unplaced[] = [];

/** Whether a file is still to be assigned: all but copies of a decoded file, which contain no work. */
export const isUnassigned = ({ match }: Unplaced): boolean => match.at !== 'identical';

/** The files by the GUID of their tray; it starts without any. */
export class UnplacedStore {
  readonly #kept = new Map<string, readonly Unplaced[]>();
  readonly #listeners = new Set<() => void>();
  /** By the GUID of the tray: ends the question before the page is closed. */
  readonly #releases = new Map<string, () => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The files of a tray that were not taken. */
  of(trayGUID: string): readonly Unplaced[] {
    return this.#kept.get(trayGUID) ?? none;
  }

  /** Changes the files of a tray that were not taken. */
  change(trayGUID: string, change: (before: readonly Unplaced[]) => readonly Unplaced[]): void {
    const next = change(this.of(trayGUID));
    if (next.length === 0) this.#kept.delete(trayGUID);
    else this.#kept.set(trayGUID, next);
    if (!next.some(isUnassigned)) {
      this.#releases.get(trayGUID)?.();
      this.#releases.delete(trayGUID);
    } else if (!this.#releases.has(trayGUID)) {
      this.#releases.set(trayGUID, registerUnsaved('files', believedCustomerCode()));
    }
    for (const listener of this.#listeners) listener();
  }
}
