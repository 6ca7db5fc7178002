/** Names the files of a result: the automatic name, and the organisation's formats. */
import {
  automaticName,
  type FormatNames,
  makeFileNameSafe,
  stripExtension,
} from '@recodery/contract/file-names';
import type { Recognition } from '@recodery/contract/families/recognition';
import type { Clock } from '../../config/clock.ts';
import type { OperationRow } from '../../operations/operation-rules.ts';
import type { Slot } from '../../slots/slots.ts';

/** How an organisation names files. */
export interface Naming {
  readonly encodedFormat: string;
  readonly decodedFormat: string;
  /** Of the times in names. */
  readonly timeZone: string;
}

/** What names can say about a read. */
export interface NamedRead {
  readonly slaveSerialNumber: string | null;
  readonly protocolId: number | null;
  readonly vin: string | null;
  /** See {@link numbersOf}. */
  readonly hardware: string | null;
  readonly software: string | null;
  /** The engine's name for the result; its automatic name if slave or protocol are unknown. */
  readonly name: string;
}

/**
 * The hardware and software number of a read, for names: those that its slave reports, or else those that were recognized
 * in its images. Null: none, or several images have different ones.
 */
export function numbersOf(
  information: { readonly hardware: string | null; readonly software: string | null },
  recognitions: readonly (Recognition | null)[],
): Pick<NamedRead, 'hardware' | 'software'> {
  const numberOf = (name: 'hardware' | 'software'): string | null => {
    const found = recognitions.flatMap((one) =>
      (one?.fields ?? []).filter((field) => field.name === name).map(({ value }) => value),
    );
    const [value = null, ...others] = new Set(found);
    return information[name] ?? (others.length === 0 ? value : null);
  };
  return { hardware: numberOf('hardware'), software: numberOf('software') };
}

/** The values of a format's placeholders for a result that is ready now. */
export function namesOf(
  clock: Clock,
  { family }: OperationRow,
  slot: Pick<Slot, 'readFileName' | 'customerLabel'>,
  { timeZone }: Pick<Naming, 'timeZone'>,
  { name, ...read }: NamedRead,
): FormatNames {
  const { slaveSerialNumber, protocolId } = read;
  const at = { time: clock.now(), timeZone };
  const automatic =
    slaveSerialNumber === null || protocolId === null
      ? makeFileNameSafe(stripExtension(name))
      : automaticName({ family, slaveSerialNumber, protocolId, ...at });
  return { automatic, readFile: slot.readFileName, label: slot.customerLabel, ...read, ...at };
}
