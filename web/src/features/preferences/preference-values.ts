/** What the settings page edits: the values as fields hold them, what of them is changed, and what is sent. Pure. */
import {
  definitionOf,
  familiesWithNameFormat,
  type Family,
  findWorkflow,
  type NameFormatField,
  workflowOf,
} from '@recodery/contract/families/registry';
import {
  defaultAutoSendAction,
  defaultFileNameFormat,
  fillFileNameFormat,
  hasKnownPlacesOnly,
  type OrganisationPreferences,
} from '@recodery/contract/preferences';

/** The preferences as the fields hold them; an empty text and null mean the default. */
export interface PreferenceValues extends Readonly<Record<NameFormatField, string>> {
  readonly action: 'Encode' | 'EncodeAndSend' | null;
  readonly isPrivate: boolean | null;
}

/** What the user has changed and not saved. What it does not name is as the server has it. */
export type PreferenceDraft = {
  readonly [Name in keyof PreferenceValues]?: PreferenceValues[Name] | undefined;
};

const formatFields = familiesWithNameFormat.map(({ field }) => field);

/** One value for each name format. */
function byFormatField<T>(valueOf: (field: NameFormatField) => T): Record<NameFormatField, T> {
  return Object.fromEntries(formatFields.map((field) => [field, valueOf(field)])) as Record<
    NameFormatField,
    T
  >;
}

/** What holds where nothing is chosen. */
export const defaultValues = { action: defaultAutoSendAction, isPrivate: true } as const;

/** The values of what the server answers; of a preference with two names it fills both, and one is read. */
export function valuesOf(preferences: OrganisationPreferences): PreferenceValues {
  return {
    ...byFormatField((field) => preferences[field] ?? ''),
    action: preferences.autoSendDefaultAction,
    isPrivate: preferences.autoSendNotificationIsPrivateByDefault,
  };
}

/** The values with the draft over them. */
export function drafted(saved: PreferenceValues, draft: PreferenceDraft): PreferenceValues {
  return {
    ...byFormatField((field) => draft[field] ?? saved[field]),
    action: draft.action === undefined ? saved.action : draft.action,
    isPrivate: draft.isPrivate === undefined ? saved.isPrivate : draft.isPrivate,
  };
}

/** Whether a draft says anything else than what is saved. */
export function isChanged(saved: PreferenceValues, draft: PreferenceDraft): boolean {
  const now = drafted(saved, draft);
  return (
    formatFields.some((field) => now[field].trim() !== saved[field]) ||
    now.action !== saved.action ||
    now.isPrivate !== saved.isPrivate
  );
}

/** The body: what is saved by now, changed by the draft alone, so that another tab's change stays. */
export function payloadOf(saved: PreferenceValues, draft: PreferenceDraft) {
  const now = drafted(saved, draft);
  return {
    ...byFormatField((field) => now[field].trim() || null),
    autoSendDefaultAction: now.action,
    autoSendNotificationIsPrivateByDefault: now.isPrivate,
  };
}

/** What is wrong with a name format: a `%` that stands for nothing, or what no file system takes in a name. */
export function formatFault(format: string): 'place' | 'sign' | null {
  if (!hasKnownPlacesOnly(format)) return 'place';
  return /[<>:"|?*/\\]|^\s*\.|\.\s*$/.test(format) ? 'sign' : null;
}

/** Whether any of the formats is not possible. */
export function hasFormatFault(values: PreferenceValues): boolean {
  return formatFields.some((field) => formatFault(values[field]) !== null);
}

/** The names of an invented read, to show a format with. */
function exampleNames(family: Family) {
  const { name, headerNumber } = definitionOf(family);
  const workflow = findWorkflow(family, 'recod');
  const isBackup = workflow !== null && workflowOf(workflow).readKind === 'read-backup';
  return {
    automatic: `${name}_SN-000007_${headerNumber}001_20261121-143205`,
    readFile: isBackup ? 'backup_0416' : 'read_0416',
  };
}

/** What an encoded file is called by a format; an empty one is the default. */
export function exampleName(family: Family, format: string): string {
  const name = fillFileNameFormat(format.trim() || defaultFileNameFormat, exampleNames(family));
  return `${name}${definitionOf(family).encodedFileExtension}`;
}
