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
  defaultFileNameFormat,
  encodedFileName,
  readFileNameFormat,
} from '@recodery/contract/file-names';
import {
  defaultAutoSendAction,
  type OrganisationPreferences,
} from '@recodery/contract/features/preferences';

/** The preferences as field values; an empty text and null mean the default. */
export interface PreferenceValues extends Readonly<Record<NameFormatField, string>> {
  readonly action: 'Encode' | 'EncodeAndSend' | null;
  readonly isPrivate: boolean | null;
}

/** The user's unsaved changes. Fields that it does not name have the server's value. */
export type PreferenceDraft = {
  readonly [Name in keyof PreferenceValues]?: PreferenceValues[Name] | undefined;
};

const formatFields = familiesWithNameFormat.map(({ field }) => field);

/** One value per name format. */
function byFormatField<T>(valueOf: (field: NameFormatField) => T): Record<NameFormatField, T> {
  return Object.fromEntries(formatFields.map((field) => [field, valueOf(field)])) as Record<
    NameFormatField,
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
    ...byFormatField((field) => preferences[field] ?? ''),
    action: preferences.autoSendDefaultAction,
    isPrivate: preferences.autoSendNotificationIsPrivateByDefault,
  };
}

/** The values with the draft applied. */
export function drafted(saved: PreferenceValues, draft: PreferenceDraft): PreferenceValues {
  return {
    ...byFormatField((field) => draft[field] ?? saved[field]),
    action: draft.action === undefined ? saved.action : draft.action,
    isPrivate: draft.isPrivate === undefined ? saved.isPrivate : draft.isPrivate,
  };
}

/** Whether a draft differs from the saved values. */
export function isChanged(saved: PreferenceValues, draft: PreferenceDraft): boolean {
  const now = drafted(saved, draft);
  return (
    formatFields.some((field) => now[field].trim() !== saved[field]) ||
    now.action !== saved.action ||
    now.isPrivate !== saved.isPrivate
  );
}

/** The request body: the currently saved values with only the draft applied, so that another tab's change is kept. */
export function payloadOf(saved: PreferenceValues, draft: PreferenceDraft) {
  const now = drafted(saved, draft);
  return {
    ...byFormatField((field) => now[field].trim() || null),
    autoSendDefaultAction: now.action,
    autoSendNotificationIsPrivateByDefault: now.isPrivate,
  };
}

/** Whether any of the formats is invalid. */
export function hasFormatFault(values: PreferenceValues): boolean {
  return formatFields.some((field) => readFileNameFormat(values[field]).fault !== null);
}

/** The names of an invented read, for the example of a format. */
function exampleNames(family: Family) {
  const { headerNumber } = definitionOf(family);
  const workflow = findWorkflow(family, { isUtility: false });
  const isBackup = workflow !== null && workflowOf(workflow).readKind === 'read-backup';
  return {
    automatic: automaticName({
      family,
      slaveSerialNumber: 'SN-000007',
      protocolId: headerNumber * 1000 + 1,
      time: new Date('2026-11-21T14:32:05Z'),
    }),
    readFile: isBackup ? 'backup_0416' : 'read_0416',
  };
}

/** The name of an encoded file for a format; an empty format means the default. */
export function exampleName(family: Family, format: string): string {
  return encodedFileName(
    family,
    readFileNameFormat(format).format || defaultFileNameFormat,
    exampleNames(family),
  );
}
