/** Organisations, users and devices as resources of the administration. */
import { createHash } from 'node:crypto';
import { resources } from '@recodery/contract/admin/resources';
import { builtInEngine } from '@recodery/contract/features/engines';
import { getLogo } from '@recodery/contract/features/session';
import { pathOf } from '@recodery/contract/api';
import type { Family } from '@recodery/contract/families/registry';
import {
  type DirectoryFile,
  isQuotaGib,
  type RightName,
} from '../../organisations/directory/directory-file.ts';
import { deviceKey } from '../../organisations/directory/directory-state-rules.ts';
import { foldEmail } from '../../organisations/email-rules.ts';
import { signOutUser } from '../../sign-in/sign-out-user.ts';
import {
  type DirectoryResource,
  type DirectoryView,
  type ResourceStore,
  textIn,
  textsIn,
  type Values,
} from '../records/resource-store.ts';

/** The records of a part of the directory by GUID. */
function byGuid<T>(
  { guids }: DirectoryView,
  name: DirectoryResource,
  records: ReadonlyMap<string, T>,
  write: (key: string, record: T, guid: string) => Values,
): ReadonlyMap<string, Values> {
  return new Map(
    [...records].flatMap(([key, record]) => {
      const guid = guids[name].get(key);
      return guid === undefined ? [] : [[guid, write(key, record, guid)] as const];
    }),
  );
}

/** The address of a logo, whose version is that of the session's record. */
function logoAddress(guid: string, logo: string | null): string | null {
  if (logo === null) return null;
  const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return pathOf(getLogo, { guid, version });
}

/** How many records have this key. */
const countBy = <T>(records: Iterable<T>, isCounted: (record: T) => boolean): number =>
  [...records].filter(isCounted).length;

const organisations: ResourceStore = {
  declared: resources.organisations,
  keyOf: (values) => textIn(values, 'customerCode'),
  read: (view) => {
    const { state } = view;
    return byGuid(view, 'organisations', state.organisations, (customerCode, record, guid) => ({
      customerCode,
      name: record.name,
      email: record.email,
      culture: record.culture,
      rights: [...record.rights],
      groupCodes: [...state.groups.values()]
        .filter((group) => group.customerCode === customerCode)
        .map(({ code }) => code),
      logo: logoAddress(guid, record.logo),
      quotaGib: record.quotaGib,
      archived: record.archived,
      users: countBy(state.users.values(), (user) => user.customerCodes.includes(customerCode)),
      masters: countBy(state.masters.values(), (master) => master.customerCode === customerCode),
    }));
  },
  findErrors: ({ quotaGib }) =>
    typeof quotaGib === 'number' && !isQuotaGib(quotaGib) ? { quotaGib: 'INVALID' } : {},
  write: (values, before) => {
    const codes = textsIn(values, 'groupCodes');
    const gone = before === null ? [] : textsIn(before, 'groupCodes');
    const { logo } = values;
    // the address of the present logo keeps it
    const isKept = typeof logo === 'string' && logo.startsWith('/');
    return {
      organisations: [
        {
          customerCode: textIn(values, 'customerCode'),
          name: textIn(values, 'name'),
          email: textIn(values, 'email') || null,
          culture: textIn(values, 'culture'),
          rights: textsIn(values, 'rights') as RightName[],
          ...(isKept ? {} : { logo: textIn(values, 'logo') || null }),
          quotaGib: typeof values['quotaGib'] === 'number' ? values['quotaGib'] : null,
          archived: values['archived'] === true,
          groupCodes: [
            ...codes.map((code) => ({ code })),
            ...gone
              .filter((code) => !codes.includes(code))
              .map((code) => ({ code, remove: true as const })),
          ],
        },
      ],
    };
  },
  remove: (values) => ({
    organisations: [{ customerCode: textIn(values, 'customerCode'), remove: true }],
  }),
};

const users: ResourceStore = {
  declared: resources.users,
  keyOf: (values) => foldEmail(textIn(values, 'email')),
  read: (view) =>
    byGuid(view, 'users', view.state.users, (key, user) => ({
      email: user.email,
      name: user.name,
      culture: user.culture,
      customerCodes: [...user.customerCodes],
      manager: [...user.manager],
      suspended: [...user.suspended],
      operator: user.operator,
      portalAccess: user.portalAccess,
      accountSuspended: user.accountSuspended,
      hasPassword: view.withPassword.has(key),
    })),
  write: (values) => ({
    users: [
      {
        email: textIn(values, 'email'),
        name: textIn(values, 'name'),
        culture: textIn(values, 'culture') || null,
        portalAccess: values['portalAccess'] !== false,
        accountSuspended: values['accountSuspended'] === true,
        customerCodes: textsIn(values, 'customerCodes'),
        operator: values['operator'] === true,
        manager: textsIn(values, 'manager'),
        suspended: textsIn(values, 'suspended'),
      },
    ],
  }),
  remove: (values) => ({ users: [{ email: textIn(values, 'email'), remove: true }] }),
  // sessions must not continue when the account is restored
  onChanged: async (trx, guid, now) => {
    if (now['accountSuspended'] === true) await signOutUser(trx, guid);
  },
};

const keyOfDevice: ResourceStore['keyOf'] = (values) =>
  deviceKey(textIn(values, 'family') as Family, textIn(values, 'serial'));

type MasterEntry = NonNullable<
  NonNullable<NonNullable<DirectoryFile['organisations']>[number]['groupCodes']>[number]['masters']
>[number];

/** The file with one master device, in its group code. */
function fileOfMaster(customerCode: string, code: string, master: MasterEntry): DirectoryFile {
  return { organisations: [{ customerCode, groupCodes: [{ code, masters: [master] }] }] };
}

const masters: ResourceStore = {
  declared: resources.masters,
  keyOf: keyOfDevice,
  read: (view) =>
    byGuid(view, 'masters', view.state.masters, (_key, master) => ({
      family: master.family,
      serial: master.serial,
      customerCode: master.customerCode,
      groupCode: master.groupCode,
      engine: master.engine,
      slaves: countBy(
        view.state.slaves.values(),
        (slave) => slave.family === master.family && slave.masterSerial === master.serial,
      ),
    })),
  write: (values) =>
    fileOfMaster(textIn(values, 'customerCode'), textIn(values, 'groupCode'), {
      family: textIn(values, 'family') as Family,
      serial: textIn(values, 'serial'),
      engine: textIn(values, 'engine') || builtInEngine,
    }),
  remove: (values) =>
    fileOfMaster(textIn(values, 'customerCode'), textIn(values, 'groupCode'), {
      family: textIn(values, 'family') as Family,
      serial: textIn(values, 'serial'),
      remove: true,
    }),
};

/** The file with one slave device, in its master. */
function fileOfSlave(
  values: Parameters<ResourceStore['keyOf']>[0],
  { state }: DirectoryView,
  change: { readonly remove: true } | { readonly owner: string | null; readonly revoked: boolean },
): DirectoryFile {
  const family = textIn(values, 'family') as Family;
  const serial = textIn(values, 'masterSerial');
  const master = state.masters.get(deviceKey(family, serial));
  if (master === undefined) return {};
  return fileOfMaster(master.customerCode, master.groupCode, {
    family,
    serial,
    slaves: [{ serial: textIn(values, 'serial'), ...change }],
  });
}

const slaves: ResourceStore = {
  declared: resources.slaves,
  keyOf: keyOfDevice,
  read: (view) =>
    byGuid(view, 'slaves', view.state.slaves, (_key, slave, guid) => ({
      family: slave.family,
      serial: slave.serial,
      masterSerial: slave.masterSerial,
      owner: slave.owner,
      revoked: slave.revoked,
      keyNumber: view.slaveKeys.get(guid)?.number ?? null,
      keyRenewedOn: view.slaveKeys.get(guid)?.renewedOn ?? null,
    })),
  findErrors: (values, { state }) => {
    const family = textIn(values, 'family') as Family;
    const master = state.masters.get(deviceKey(family, textIn(values, 'masterSerial')));
    return master === undefined ? { masterSerial: 'UNKNOWN' } : {};
  },
  write: (values, _before, view) =>
    fileOfSlave(values, view, {
      owner: textIn(values, 'owner') || null,
      revoked: values['revoked'] === true,
    }),
  remove: (values, view) => fileOfSlave(values, view, { remove: true }),
};

/** The resources of the directory by name. */
export const stores: Readonly<Record<DirectoryResource, ResourceStore>> = {
  organisations,
  users,
  masters,
  slaves,
};
