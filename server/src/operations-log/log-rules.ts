/** The format of the operations log: its columns, and texts that no spreadsheet interprets as a formula; pure. */
import { workflowOf } from '@recodery/contract/families/registry';
import { clockIn } from '@recodery/contract/time-zones';
import { disarm } from '../config/csv-rules.ts';
import { vinHider } from '../texts/vin-rules.ts';
import type { LogEntry, LogFile } from './operations-log.ts';

/** The files of an operation. */
export interface EntryFiles {
  readonly given: readonly LogFile[];
  readonly made: readonly LogFile[];
}

/** The columns, as in the header line. */
export const logColumns = [
  'Started (UTC)',
  'Completed (UTC)',
  'User',
  'Email',
  'Customer code',
  'Group code',
  'Operation',
  'Mode',
  'Slave',
  'Protocol ID',
  'Protocol',
  'Read file',
  'Files in',
  'SHA-256 in',
  'Files out',
  'SHA-256 out',
  'Outcome',
  'Error',
  'Error code',
  'Operation GUID',
  // beside UTC; at the end, so that programs find every column where it was
  'Started (local time)',
  'Completed (local time)',
  'Time zone',
] as const;

/** What describes entries in addition to their rows. */
export interface LogLook {
  /** A protocol's name, or null. */
  nameProtocol(id: number): string | null;
  /** Of the local times. */
  readonly timeZone: string;
}

/** A point in time as the clocks in a time zone show it: `2026-12-02 06:56:30`. */
function localTime(time: Date | null, timeZone: string): string | null {
  return time && clockIn(timeZone).format(time);
}

/** One line of the log. */
export function describeEntry(
  entry: LogEntry,
  { given, made }: EntryFiles,
  { nameProtocol, timeZone }: LogLook,
): readonly string[] {
  const { protocolId, vin } = entry;
  // only in names: a read whose VIN equals a customer code or a hash must not blank these
  const hide = vinHider(vin);
  const cells = [
    entry.createdOn.toISOString(),
    entry.completedOn?.toISOString(),
    entry.userName,
    entry.userEmail,
    entry.customerCode,
    entry.groupCode,
    entry.type,
    describeMode(entry),
    entry.slaveSerialNumber,
    protocolId?.toString(),
    protocolId === null ? null : nameProtocol(protocolId),
    hide(entry.readFileName),
    listFiles(given, ({ name }) => hide(name)),
    listFiles(given, ({ sha256 }) => sha256),
    listFiles(made, ({ name }) => hide(name)),
    listFiles(made, ({ sha256 }) => sha256),
    entry.status,
    entry.errorName,
    entry.internalCode,
    entry.guid,
    localTime(entry.createdOn, timeZone),
    localTime(entry.completedOn, timeZone),
    timeZone,
  ];
  return cells.map((cell) => disarm(cell ?? ''));
}

function describeMode({ mode, workflow }: LogEntry): string {
  const { right } = workflowOf(workflow);
  return [mode, right === 'utility' ? right : null].filter((word) => word !== null).join(' ');
}

/** Several files share one cell, each preceded by its component. */
function listFiles(files: readonly LogFile[], show: (file: LogFile) => string): string {
  return files
    .map((file) => (files.length === 1 ? show(file) : `${placeOf(file)}: ${show(file)}`))
    .join(' | ');
}

function placeOf({ role, component }: LogFile): string {
  return role === 'original' ? role : (component ?? role);
}
