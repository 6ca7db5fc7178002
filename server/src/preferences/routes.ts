/** Routes for an organisation's preferences. */
import { Refusal } from '@recodery/contract/refusal';
import { describeNameFormats, familiesWithNameFormat } from '@recodery/contract/families/registry';
import {
  getPreferences,
  nameFormatRoutes,
  type OrganisationPreferences,
  type Preferences,
  putPreferences,
} from '@recodery/contract/features/preferences';
import type { Router } from '../http/serve.ts';
import type { Caller } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { readNameFormat, readTimeZone } from './name-format.ts';
import { chooseEither } from './preference-rules.ts';
import { readPreferences, savePreferences, type StoredPreferences } from './preferences.ts';

/** The response for the caller; sending defaults are included only with the right to send. */
function describe({ rights }: Caller, chosen: StoredPreferences): Preferences {
  const action = rights.autoSend ? chosen.autoSendDefaultAction : null;
  const isPrivate = rights.autoSend ? chosen.isPrivateByDefault : null;
  return {
    organisationPreferences: {
      ...describeNameFormats((family) => chosen.nameFormats[family] ?? null),
      decodedFileNameFormat: chosen.decodedNameFormat,
      timeZone: chosen.timeZone,
      autoSendDefaultAction: action,
      autoSendNotificationIsPrivateByDefault: isPrivate,
      defaultAutoSendAction: action,
      isAutoSendNotificationPrivateByDefault: isPrivate,
    },
    canUserAutoSend: rights.autoSend,
  };
}

/**
 * The values to save. A caller without the right to send leaves the sending defaults unchanged, and cannot set them.
 */
function read({ rights }: Caller, asked: Partial<Asked>): Partial<StoredPreferences> {
  const formats = {
    nameFormats: Object.fromEntries(
      familiesWithNameFormat.map(({ family, field }) => [family, readNameFormat(asked[field])]),
    ),
    decodedNameFormat: readNameFormat(asked.decodedFileNameFormat),
    timeZone: readTimeZone(asked.timeZone),
  };
  const sending = {
    autoSendDefaultAction: chooseEither(asked.autoSendDefaultAction, asked.defaultAutoSendAction),
    isPrivateByDefault: chooseEither(
      asked.autoSendNotificationIsPrivateByDefault,
      asked.isAutoSendNotificationPrivateByDefault,
    ),
  };
  if (rights.autoSend) return { ...formats, ...sending };
  if (sending.autoSendDefaultAction !== null || sending.isPrivateByDefault !== null) {
    throw new Refusal('USER_NO_RIGHTS');
  }
  return formats;
}

type Asked = {
  readonly [Name in keyof OrganisationPreferences]: OrganisationPreferences[Name] | undefined;
};

/** Registers the preferences routes. */
export function servePreferences(router: Router, { db }: { readonly db: Db }): void {
  const answer = async (caller: Caller) =>
    describe(caller, await readPreferences(db, caller.organisationId));

  router.serve(getPreferences, ({ caller }) => answer(caller));

  router.serve(putPreferences, async ({ caller, body }) => {
    const { organisationId } = caller;
    await savePreferences(db, organisationId, read(caller, body.organisationPreferences));
    return answer(caller);
  });

  for (const { family, route } of nameFormatRoutes) {
    router.serve(route, async ({ caller, body }) => {
      const { organisationId } = caller;
      await savePreferences(db, organisationId, {
        nameFormats: { [family]: readNameFormat(body) },
      });
      return undefined;
    });
  }
}
