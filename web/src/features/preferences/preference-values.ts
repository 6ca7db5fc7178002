/** The data of the settings page: the field values, the changes, and the request body. Pure. */
import {
  definitionOf,
  familiesWithNameFormat,
  type Family,
  findWorkflow,
  type NameFormatField,
  workflowOf,
} from '@recodery/contract/families/registry';
import {
  automaticName,
  decodedFileName,
  decodedStem,
  defaultFileNameFormat,
  encodedFileName,
  type FormatNames,
  readFileNameFormat,
} from '@recodery/contract/file-names';
import {
  defaultAutoSendAction,
  type OrganisationPreferences,
} from '@recodery/contract/features/preferences';
import { isTimeZone } from '@recodery/contract/time-zones';

/** A preference that contains the name format of encoded files of a family, or of decoded files of all families. */
export type FormatField = NameFormatField | 'decodedFileNameFormat';
type TextField = FormatField | 'timeZone';

/** The preferences as field values; an empty text and null mean the default. */
export interface PreferenceValues extends Readonly<Record<TextField, string>> {
  readonly action: 'Encode' | 'EncodeAndSend' | null;
  readonly isPrivate: boolean | null;
}

/** The user's unsaved changes. Fields that it does not name have the server's value. */
export type PreferenceDraft = {
  readonly [Name in keyof PreferenceValues]?: PreferenceValues[Name] | undefined;
};

const formatFields: readonly FormatField[] = [
  ...familiesWithNameFormat.map(({ field }) => field),
  'decodedFileNameFormat',
];
const textFields: readonly TextField[] = [...formatFields, 'timeZone'];

/** One value per preference that is a text. */
export function byTextField<T>(valueOf: (field: TextField) => T): Record<TextField, T> {
  return Object.fromEntries(textFields.map((field) => [field, valueOf(field)])) as Record<
    TextField,
    T
  >;
}

/** The defaults. */
export const defaultValues = { action: defaultAutoSendAction, isPrivate: true } as const;

/**
 * Converts the server's response to field values; it fills both names of a preference that has two, and only one is
 * read.
 */
export function valuesOf(preferences: OrganisationPreferences): PreferenceValues {
  return {
    ...byTextField((field) => preferences[field] ?? ''),
    action: preferences.autoSendDefaultAction,
    isPrivate: preferences.autoSendNotificationIsPrivateByDefault,
  };
}

/** The values with the draft applied. */
export function drafted(saved: PreferenceValues, draft: PreferenceDraft): PreferenceValues {
  return {
    ...byTextField((field) => draft[field] ?? saved[field]),
    action: draft.action === undefined ? saved.action : draft.action,
    isPrivate: draft.isPrivate === undefined ? saved.isPrivate : draft.isPrivate,
  };
}

/** Whether a draft differs from the saved values. */
export function isChanged(saved: PreferenceValues, draft: PreferenceDraft): boolean {
  const now = drafted(saved, draft);
  return (
    textFields.some((field) => now[field].trim() !== saved[field]) ||
    now.action !== saved.action ||
    now.isPrivate !== saved.isPrivate
  );
}

/** The request body: the currently saved values with only the draft applied, so that another tab's change is kept. */
export function preferencesPayload(saved: PreferenceValues, draft: PreferenceDraft) {
  const now = drafted(saved, draft);
  return {
    ...byTextField((field) => now[field].trim() || null),
    autoSendDefaultAction: now.action,
    autoSendNotificationIsPrivateByDefault: now.isPrivate,
  };
}

/** Whether a time zone can be saved; an empty text means the default. */
export function isUsableTimeZone(text: string): boolean {
  return text.trim() === '' || isTimeZone(text.trim());
}

/** Whether any of the texts is invalid. */
export function hasTextFault(values: PreferenceValues): boolean {
  return (
    formatFields.some((field) => readFileNameFormat(values[field]).fault !== null) ||
    !isUsableTimeZone(values.timeZone)
  );
}

/** The browser's time zone. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The values of an invented read, for the example of a format. */
function exampleNames(family: Family, timeZone: string): FormatNames {
  const { container } = definitionOf(family);
  const workflow = findWorkflow(family, { isUtility: false });
  const isBackup = workflow !== null && workflowOf(workflow).readKind === 'read-backup';
  const read = {
    slaveSerialNumber: container?.demoSlave ?? 'A-000001',
    protocolId: (container?.number ?? 9) * 1000 + 1,
    time: new Date('2026-11-21T14:32:05Z'),
    timeZone: timeZone !== '' && isUsableTimeZone(timeZone) ? timeZone.trim() : browserTimeZone(),
  };
  return {
    ...read,
    automatic: automaticName({ family, ...read }),
    readFile: isBackup ? 'backup_0416' : 'read_0416',
    vin: 'ZAR93900001234567',
    label: 'Rossi',
    hardware: '0261207955',
    software: '1037360987',
  };
}

/**
 * The name of a file for a format; an empty format means the default. `family` null: of a decoded file.
 */
export function exampleName(family: Family | null, format: string, timeZone = ''): string {
  const used = readFileNameFormat(format).format || defaultFileNameFormat;
  return family === null
    ? decodedFileName(decodedStem(used, exampleNames('kess3', timeZone)), 'obd')
    : encodedFileName(family, used, exampleNames(family, timeZone));
}
