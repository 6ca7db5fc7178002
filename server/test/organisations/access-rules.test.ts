/** The access rules, as a table. */
import { byFamily, families, type Workflow } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import {
  entryRefusal,
  type FlagsWanted,
  flagsRefusal,
} from '../../src/organisations/access-rules.ts';
import type { Rights } from '../../src/organisations/caller.ts';

const everything: Rights = {
  families: byFamily(() => true),
  recod: true,
  utility: true,
  autoSend: true,
  skipChecksum: true,
  debug: true,
};

interface Case {
  readonly workflow?: Workflow;
  readonly access?: boolean;
  readonly rights?: Partial<Rights>;
  readonly devices?: readonly [number, number];
  readonly is: string | null;
}

const noFamilies = { families: byFamily(() => false) };

const cases: readonly Case[] = [
  { is: null },
  { workflow: 'ktag', is: null },
  { workflow: 'kess3', is: null },
  { workflow: 'kess3-utility', is: null },
  { access: false, is: 'USER_NO_RIGHTS' },
  // KESSv2 and K-TAG need only their subscription.
  { rights: { recod: false, utility: false }, is: null },
  { workflow: 'ktag', rights: { recod: false, utility: false }, is: null },
  { workflow: 'kess3', rights: { recod: false }, is: 'USER_NO_RIGHTS' },
  { workflow: 'kess3-utility', rights: { utility: false }, is: 'USER_NO_RIGHTS' },
  // One right neither replaces the other nor revokes it.
  { workflow: 'kess3', rights: { utility: false }, is: null },
  { workflow: 'kess3-utility', rights: { recod: false }, is: null },
  { rights: noFamilies, is: 'FeatureNotAvailable' },
  { rights: { families: byFamily((family) => family === 'kessv2') }, is: null },
  {
    workflow: 'ktag',
    rights: { families: byFamily((family) => family !== 'ktag') },
    is: 'FeatureNotAvailable',
  },
  { devices: [0, 0], is: 'USER_NOT_AUTHORIZED' },
  { devices: [1, 0], is: 'USER_NOT_AUTHORIZED' },
  { workflow: 'ktag', devices: [3, 0], is: 'USER_NOT_AUTHORIZED' },
  { workflow: 'kess3', devices: [1, 0], is: 'USER_NOT_AUTHORIZED_KESS3' },
  { workflow: 'kess3-utility', devices: [0, 0], is: 'USER_NOT_AUTHORIZED_KESS3' },
  // The order: the user, then the subscription, then the devices.
  { access: false, rights: noFamilies, devices: [0, 0], is: 'USER_NO_RIGHTS' },
  {
    workflow: 'kess3',
    rights: { ...noFamilies, recod: false },
    devices: [0, 0],
    is: 'USER_NO_RIGHTS',
  },
  { rights: noFamilies, devices: [0, 0], is: 'FeatureNotAvailable' },
];

describe('an entry point', () => {
  // promise d5.rights.order
  test.each(cases)('%j', (wanted) => {
    const [masterCount, slaveCount] = wanted.devices ?? [1, 1];
    const refusal = entryRefusal({
      caller: {
        hasPortalAccess: wanted.access ?? true,
        rights: { ...everything, ...wanted.rights },
      },
      workflow: wanted.workflow ?? 'kessv2',
      masterCount,
      isEngineConnected: false,
      slaveCount,
    });
    expect(refusal).toBe(wanted.is);
  });

  test('of a family checks that family only', () => {
    for (const family of families)
      for (const owned of families) {
        const refusal = entryRefusal({
          caller: {
            hasPortalAccess: true,
            rights: { ...everything, families: { ...noFamilies.families, [owned]: true } },
          },
          workflow: family,
          masterCount: 1,
          isEngineConnected: false,
          slaveCount: 1,
        });
        expect(refusal).toBe(family === owned ? null : 'FeatureNotAvailable');
      }
  });
});

describe('a flag', () => {
  const switches: readonly (keyof FlagsWanted)[] = ['skipChecksum', 'debug', 'autoSend'];

  // promise 6.roles.flags
  test.each(switches)('%s needs its own right, and only if it is used', (name) => {
    const without = { ...everything, [name]: false };
    expect(flagsRefusal(without, { [name]: true })).toBe('USER_NO_RIGHTS');
    expect(flagsRefusal(without, { [name]: false })).toBeNull();
    expect(flagsRefusal(without, {})).toBeNull();
    expect(flagsRefusal(everything, { [name]: true })).toBeNull();
  });
});
