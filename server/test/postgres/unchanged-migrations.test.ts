/** Migrations that databases already have stay as they are: their checksums are stored, and a portal refuses others. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../migrations');
/** The first 16 digits of the SHA-256 of each migration; the newest one may be missing until the next is added. */
const known: Readonly<Record<string, string>> = {
  '0001-first.sql': '7abec0ea2833fa00',
  '0002-notifications.sql': 'f5a5794cc06a3c0e',
  '0003-originals.sql': '0bbfce1f4b8d6b81',
  '0004-preferences-messages.sql': 'c3c23a52a3462558',
  '0005-sign-in-attempts.sql': 'dde90420c8c413b5',
  '0006-mail-way.sql': '211b25534b99c2f4',
  '0007-encode-draft.sql': '5b17f47384d6fcef',
  '0008-error-causes.sql': '2b5979b46483a95e',
  '0009-workflows.sql': '26fab34e46fbf330',
  '0010-clients.sql': '3b7b67090134dbf5',
  '0011-engines.sql': '74edd41ef24339d2',
  '0012-webhooks.sql': '475146969dc11767',
  '0013-operation-base-address.sql': '9308382484e228fa',
  '0014-sign-in-areas.sql': 'f9fe8b34cd45d956',
  '0015-storage-quota.sql': 'c0a7d5817d52d9b3',
  '0016-audit.sql': '48466757e2df927b',
  '0017-request-counts.sql': '193952f2c78111ea',
  '0018-lists.sql': '7250c6a5e4065cc8',
  '0019-jobs.sql': '4fffe0efe2a40b28',
  '0020-receipts.sql': '77960aaa478d5d7a',
  '0021-trays.sql': 'f3fb2fa51a56692b',
  '0022-job-search.sql': 'fa5a4edbf8f381e6',
  '0023-user-keys.sql': 'bedcec80f5daeaf5',
  '0025-replaced-files.sql': '6e89d78af3c0caae',
  '0026-tray-operations.sql': '779e2ddaacf5f8f2',
  '0027-search-folding.sql': 'c20a266ff5a0b2bc',
  '0028-new-notifications.sql': '0211d61aff0ce9d6',
  '0029-downloads.sql': '81f55af5fd6ce07d',
  '0030-names.sql': 'e7d924e2b0500961',
  '0031-default-retention.sql': '24c410cdde014690',
  '0095-unexplained-files.sql': '818821286f337251',
  '0110-recognized-numbers.sql': 'e9dd1449bbf14e6a',
  '0032-email-folding.sql': '732aae3a8eec38f3',
  '0034-comparable-images.sql': '9dd9d2f66521f2e3',
  '0035-webhook-tests.sql': '240d852b9eb58101',
  '0036-kept-until.sql': '74e227ec354b319c',
  '0038-damaged-files.sql': 'a3757527204b6c85',
  '0040-imported-jobs.sql': 'cd36d9295f4075e8',
  '0041-running-portals.sql': 'f7a8a9595cd84ba9',
  '0043-lost-workers.sql': 'e7d6bd2c97838120',
  '0044-audit-announced.sql': 'b2b9998b27fd3466',
  '0070-roles.sql': '698e6538c2b8576a',
  '0045-import-origin.sql': 'a4499f321030cbc4',
  '0046-check-limits.sql': 'b2a7ff9745a1e9aa',
  '0050-sealed-engines.sql': 'e4e13e000b7c916f',
  '0051-untrusted-proxies.sql': 'b409f225b1b5ae4f',
  '0060-engine-context.sql': 'f547194574ac7341',
  '0065-misfits.sql': 'd56c804e141a2edb',
  '0087-invitations.sql': '3566d8bf37ecba47',
  '0086-session-devices.sql': 'aba87239d68a93e0',
  '0130-usage.sql': '9e154138f2f30383',
  '0131-ends.sql': 'c4b49584c9871f01',
  '0085-setup-links.sql': 'dddf302c71ca933a',
  '0146-planned-maintenance.sql': '600e78715ff88cb4',
  '0136-suspended-accounts.sql': '6a7657ea5119a14c',
  '0143-second-factors.sql': '432a1023a8ecec46',
  '0118-people.sql': '5ef80649a5116771',
  '0153-kept-originals.sql': '1ee64db687b8336b',
  '0156-factor-sessions.sql': 'ee40bd8c653b1533',
  '0157-factor-failures.sql': '92c4c9e4e232233d',
  '0163-repair-details.sql': '942ed6ccad010819',
  '0176-retried-emails.sql': 'dc6fcc99f5e48770',
  '0177-backups.sql': '7a58ca31a174da16',
  '0180-terms.sql': '4e2dc4fd5655740b',
  '0183-update-check.sql': 'd11c84638686e0f2',
  '0186-deliveries.sql': '9b666a928527d867',
  '0190-sign-in-failures.sql': '2af344270a7f375a',
  '0194-archived-organisations.sql': '9f00e5c773288a6f',
  '0195-slave-keys.sql': '2238ce0cc6f84314',
  '0196-retired-keys.sql': '368992f24ea65344',
  '0198-keys-without-owner.sql': '58828c2de99e66d1',
  '0199-files-of-doubles.sql': 'f2578235292bf398',
  '0200-faster-descriptions.sql': 'b04f9cdc1a99726c',
  '0201-recent-names.sql': 'ca5609459c0ad8e9',
  '0197-quotas.sql': '56739a9ee83e71ec',
  '0181-own-settings.sql': '4fb150c1b47c9d5a',
  '0193-sealed-webhooks.sql': 'f378d0fe264863ba',
};

test('no migration was edited after databases had it', async () => {
  const names = (await readdir(folder)).toSorted();
  const found = await Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return [name, createHash('sha256').update(text).digest('hex').slice(0, 16)] as const;
    }),
  );
  const newest = names.at(-1) ?? '';
  const listed = found.filter(([name]) => name !== newest || name in known);
  expect(Object.fromEntries(listed)).toEqual(known);
});
