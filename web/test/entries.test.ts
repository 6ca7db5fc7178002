/** Which pages a user can enter, and what the pages show to users who can enter none. */
import { byWorkflow } from '@recodery/contract/families/registry';
import type { Entries, EntryRefusal } from '@recodery/contract/features/session';
import { describe, expect, test } from 'vitest';
import {
  accessLevelOf,
  mayEnter,
  mayEnterFamily,
  refusalToExplain,
} from '../src/features/session/entries.ts';

const open: Entries = byWorkflow(() => null);
const all = (refusal: EntryRefusal): Entries => byWorkflow(() => refusal);
const closed = all('USER_NOT_AUTHORIZED');

describe('a user', () => {
  test.each([
    ['works', { hasPortalAccess: true, canReceive: false, entries: open }],
    ['works', { hasPortalAccess: true, canReceive: true, entries: { ...closed, ktag: null } }],
    ['receives', { hasPortalAccess: true, canReceive: true, entries: closed }],
    ['blocked', { hasPortalAccess: true, canReceive: false, entries: closed }],
    ['no-access', { hasPortalAccess: false, canReceive: true, entries: closed }],
  ] as const)('%s with %j', (level, session) => {
    expect(accessLevelOf(session)).toBe(level);
  });

  test('can enter exactly the pages without a refusal', () => {
    const entries = { ...closed, 'kess3-utility': null };
    expect(mayEnter({ entries }, 'kess3-utility')).toBe(true);
    expect(mayEnter({ entries }, 'kess3')).toBe(false);
  });

  test('can enter a family with one of its pages', () => {
    const entries = { ...closed, 'kess3-utility': null };
    expect(mayEnterFamily({ entries }, 'kess3')).toBe(true);
    expect(mayEnterFamily({ entries }, 'ktag')).toBe(false);
  });
});

describe('the refusal that the page explains', () => {
  test.each<[EntryRefusal, Entries]>([
    ['USER_NO_RIGHTS', all('USER_NO_RIGHTS')],
    ['FeatureNotAvailable', { ...all('USER_NO_RIGHTS'), ktag: 'FeatureNotAvailable' }],
    ['USER_NOT_AUTHORIZED', { ...all('FeatureNotAvailable'), kessv2: 'USER_NOT_AUTHORIZED' }],
    [
      'USER_NOT_AUTHORIZED_KESS3',
      { ...all('FeatureNotAvailable'), kess3: 'USER_NOT_AUTHORIZED_KESS3' },
    ],
  ])('%s of %j', (explained, entries) => {
    expect(refusalToExplain({ entries })).toBe(explained);
  });
});
