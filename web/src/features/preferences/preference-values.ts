/** What the settings page edits: the values as fields hold them, what of them is changed, and what is sent. Pure. */
import {
  defaultAutoSendAction,
  fillFileNameFormat,
  hasKnownPlacesOnly,
  type OrganisationPreferences,
} from '@recodery/contract/preferences';

/** The preferences as the fields hold them; an empty text and null mean the default. */
export interface PreferenceValues {
  readonly kessv2Format: string;
  readonly ktagFormat: string;
  readonly action: 'Encode' | 'EncodeAndSend' | null;
  readonly isPrivate: boolean | null;
}

/** What the user has changed and not saved. What it does not name is as the server has it. */
export type PreferenceDraft = {
  readonly [Name in keyof PreferenceValues]?: PreferenceValues[Name] | undefined;
};

/** What holds where nothing is chosen. */
export const defaultValues = { action: defaultAutoSendAction, isPrivate: true } as const;

/** The values of what the server answers; of a preference with two names it fills both, and one is read. */
export function valuesOf(preferences: OrganisationPreferences): PreferenceValues {
  return {
    kessv2Format: preferences.encodedKESSv2FileNameFormat ?? '',
    ktagFormat: preferences.encodedKTAGFileNameFormat ?? '',
    action: preferences.autoSendDefaultAction,
    isPrivate: preferences.autoSendNotificationIsPrivateByDefault,
  };
}

/** The values with the draft over them. */
export function drafted(saved: PreferenceValues, draft: PreferenceDraft): PreferenceValues {
  return {
    kessv2Format: draft.kessv2Format ?? saved.kessv2Format,
    ktagFormat: draft.ktagFormat ?? saved.ktagFormat,
    action: draft.action === undefined ? saved.action : draft.action,
    isPrivate: draft.isPrivate === undefined ? saved.isPrivate : draft.isPrivate,
  };
}

/** Whether a draft says anything else than what is saved. */
export function isChanged(saved: PreferenceValues, draft: PreferenceDraft): boolean {
  const now = drafted(saved, draft);
  return (
    now.kessv2Format.trim() !== saved.kessv2Format ||
    now.ktagFormat.trim() !== saved.ktagFormat ||
    now.action !== saved.action ||
    now.isPrivate !== saved.isPrivate
  );
}

/** The body's four fields: what is saved by now, changed by the draft alone, so that another tab's change stays. */
export function payloadOf(saved: PreferenceValues, draft: PreferenceDraft) {
  const { kessv2Format, ktagFormat, action, isPrivate } = drafted(saved, draft);
  return {
    encodedKESSv2FileNameFormat: kessv2Format.trim() || null,
    encodedKTAGFileNameFormat: ktagFormat.trim() || null,
    autoSendDefaultAction: action,
    autoSendNotificationIsPrivateByDefault: isPrivate,
  };
}

/** What is wrong with a name format: a `%` that stands for nothing, or what no file system takes in a name. */
export function formatFault(format: string): 'place' | 'sign' | null {
  if (!hasKnownPlacesOnly(format)) return 'place';
  return /[<>:"|?*/\\]|^\s*\.|\.\s*$/.test(format) ? 'sign' : null;
}

/** Whether any of the formats is not possible. */
export function hasFormatFault({ kessv2Format, ktagFormat }: PreferenceValues): boolean {
  return formatFault(kessv2Format) !== null || formatFault(ktagFormat) !== null;
}

/** Names to show a format with: those of an invented read. */
const examples = {
  kessv2: { automatic: 'KESSv2_KV2-000007_1001_20261121-143205', readFile: 'read_0416' },
  ktag: { automatic: 'K-TAG_KTG-000007_2001_20261121-143205', readFile: 'backup_0416' },
} as const;
const extensions = { kessv2: '.moc', ktag: '.unq' } as const;

/** What an encoded file is called by a format; an empty one is the default. */
export function exampleName(family: 'kessv2' | 'ktag', format: string): string {
  return `${fillFileNameFormat(format.trim() || '%d', examples[family])}${extensions[family]}`;
}
