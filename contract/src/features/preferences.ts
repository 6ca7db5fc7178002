/** An organisation's preferences: names of files, the time zone, and the defaults for sending. */
import * as z from 'zod/mini';
import { empty, json, route } from '../api.ts';
import { definitionOf, describeNameFormats, families, type Family } from '../families/registry.ts';
import { maxFormatLength } from '../file-names.ts';
import { longestTimeZone } from '../time-zones.ts';
import { autoSendActions } from './recoding/recoding.ts';

export const defaultAutoSendAction = 'Encode';

const format = z.nullable(z.string().check(z.maxLength(maxFormatLength)));
const action = z.nullable(z.enum(autoSendActions));
const flag = z.nullable(z.boolean());
const timeZone = z.nullable(z.string().check(z.maxLength(longestTimeZone)));

/** The preferences; null means the default. The last two are aliases of the two before them. */
export const organisationPreferences = z.object({
  ...describeNameFormats(() => format),
  decodedFileNameFormat: format,
  /** A name such as `Europe/Rome`; null: the time zone of each user's browser, and UTC for programs. */
  timeZone,
  autoSendDefaultAction: action,
  autoSendNotificationIsPrivateByDefault: flag,
  defaultAutoSendAction: action,
  isAutoSendNotificationPrivateByDefault: flag,
});
export type OrganisationPreferences = z.infer<typeof organisationPreferences>;

export const preferences = z.object({
  organisationPreferences,
  canUserAutoSend: z.boolean(),
});
export type Preferences = z.infer<typeof preferences>;

export const getPreferences = route('GET', '/api/preferences', {
  summary: "Returns the organisation's preferences, and whether the user can send results.",
  access: 'portal',
  answer: json(preferences),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});

export const putPreferences = route('PUT', '/api/preferences/', {
  summary: 'Updates the preferences. Null or an empty string restores the default.',
  access: 'portal',
  body: z.object({
    organisationPreferences: z.object({
      ...describeNameFormats(() => z.optional(format)),
      decodedFileNameFormat: z.optional(format),
      timeZone: z.optional(timeZone),
      autoSendDefaultAction: z.optional(action),
      autoSendNotificationIsPrivateByDefault: z.optional(flag),
      defaultAutoSendAction: z.optional(action),
      isAutoSendNotificationPrivateByDefault: z.optional(flag),
    }),
  }),
  answer: json(preferences),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'PREFERENCES_CONTRADICT', 'USER_NO_RIGHTS'],
});

function nameFormatRoute(family: Family, path: string) {
  return route('PUT', path, {
    summary: `Sets the name format of encoded ${definitionOf(family).name} files. Null restores the default.`,
    access: 'portal',
    body: format,
    answer: empty,
    refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
  });
}

/** The calls that set only one name format, of the families that have one. */
export const nameFormatRoutes = families.flatMap((family) => {
  const { nameFormatPath } = definitionOf(family);
  return nameFormatPath === undefined
    ? []
    : [{ family, route: nameFormatRoute(family, nameFormatPath) }];
});
