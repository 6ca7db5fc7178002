/** Chooses the engine and the master device of a read file, after its first bytes are known. */
import type { Header } from '@recodery/codec/container/header';
import { Refusal } from '@recodery/contract/refusal';
import type { MasterChoice, ServedMaster } from '../../organisations/devices.ts';

/** The masters of this family in the caller's organisation. */
export interface MastersOfFamily {
  readonly all: readonly ServedMaster[];
  /** The masters that match the caller's choice; not empty. */
  readonly chosen: readonly [ServedMaster, ...(readonly ServedMaster[])];
}

/** Other inputs of the assignment. */
export interface ReadQuestion {
  readonly skipChecksum: boolean;
  /** Whether the caller has chosen a master; if not, the file decides, in any group code. */
  readonly isChosen: boolean;
}

/** The master named in a query; null: it names none, and the file decides. */
export function readChoice({
  groupCode,
  masterDeviceSerialNumber,
}: MasterChoice): MasterChoice | null {
  return groupCode || masterDeviceSerialNumber ? { groupCode, masterDeviceSerialNumber } : null;
}

/** The engine and master that decode a read file. */
export interface Assignment {
  readonly groupCode: string;
  /** The engine; null: the built-in one. */
  readonly connectionGuid: string | null;
  /** Null with the built-in engine: the file's header names the master. */
  readonly masterDeviceGuid: string | null;
}

/**
 * Assigns a read file. The portal's own container belongs to the master that its header names; with the built-in
 * engine, the decode reports a master of another group. Every other file goes to the first chosen master whose engine
 * takes such files; if there is none, the built-in engine reports what is wrong with the file. Refuses features that
 * this engine does not offer.
 */
export function assignRead(
  header: Pick<Header, 'masterDeviceSerialNumber'> | null,
  { skipChecksum, isChosen }: ReadQuestion,
  { all, chosen }: MastersOfFamily,
): Assignment {
  const [{ groupCode }] = chosen;
  const builtIn: Assignment = { groupCode, connectionGuid: null, masterDeviceGuid: null };
  const foreign = chosen.find(({ engine }) => engine.offers.foreignFiles);
  if (foreign === undefined && isChosen) return builtIn;
  const serial = header?.masterDeviceSerialNumber;
  const named = chosen.find(({ serialNumber }) => serialNumber === serial);
  const isOther = named === undefined && all.some(({ serialNumber }) => serialNumber === serial);
  const master = named ?? (isOther ? undefined : foreign);
  if (master === undefined) return builtIn;
  if (skipChecksum && !master.engine.offers.checksumSkip)
    throw new Refusal('OPERATION_NOT_POSSIBLE');
  return assignTo(master);
}

function assignTo({ groupCode, connectionGuid, guid }: ServedMaster): Assignment {
  return { groupCode, connectionGuid, masterDeviceGuid: connectionGuid === null ? null : guid };
}
