/** The state of client applications, and what their form accepts and sends. */
import type { Client } from '@recodery/contract/features/clients';
import { expect, test } from 'vitest';
import {
  activeFirst,
  clientPayload,
  emptyDraft,
  faultyFields,
} from '../../src/features/clients/client-rules.ts';

const now = new Date('2026-11-22T12:00:00');
const client = (name: string, differs: Partial<Client> = {}): Client => ({
  clientApplicationGUID: name,
  name,
  allowedNetworks: [],
  createdOn: now.toISOString(),
  expiresOn: null,
  lastUsedOn: null,
  revokedOn: null,
  ...differs,
});

test('lists expired and revoked client applications after the active ones', () => {
  const past = new Date('2026-11-21').toISOString();
  const listed = activeFirst(
    [client('revoked', { revokedOn: past }), client('expired', { expiresOn: past }), client('one')],
    now,
  );
  expect(listed.map(({ name }) => name)).toEqual(['one', 'revoked', 'expired']);
});

test('accepts today as the last day, and sends its end', () => {
  const draft = { ...emptyDraft, name: ' Server ', networks: '10.0.0.1\n\n ::1 ' };
  expect(faultyFields({ ...draft, lastDay: '2026-11-21' }, now)).toEqual(['lastDay']);
  expect(faultyFields({ ...draft, lastDay: '2026-11-22' }, now)).toEqual([]);
  expect(clientPayload({ ...draft, lastDay: '2026-11-22' })).toEqual({
    name: 'Server',
    allowedNetworks: ['10.0.0.1', '::1'],
    expiresOn: new Date('2026-11-22T23:59:59').toISOString(),
  });
  expect(clientPayload(draft).expiresOn).toBeNull();
});

test('refuses a form without a name or with too many networks', () => {
  expect(faultyFields({ ...emptyDraft, networks: '::1\n'.repeat(51) }, now)).toEqual([
    'name',
    'networks',
  ]);
});
