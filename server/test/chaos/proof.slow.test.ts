/** The proof of the chaos test finds each kind of damage, done to an installation that works as it should. */
import { open, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { runChaos } from './chaos.ts';
import type { Evidence } from './proof.ts';

/** Where the encoded file of an operation is stored. */
async function findEncoded({ installation, database }: Evidence, guid: string): Promise<string> {
  const { storage_key } = await database.ask((db) =>
    db
      .selectFrom('stored_file')
      .select('storage_key')
      .where('role', '=', 'encoded')
      .where('storage_key', 'like', `${guid}/%`)
      .executeTakeFirstOrThrow(),
  );
  return join(fileURLToPath(installation.config.storageUrl), storage_key);
}

/** Delivers an email once more: the same one, and one that no operation has sent. */
async function deliverAgain({ installation }: Evidence, unknown: string): Promise<string> {
  const [mail] = installation.mails.emails;
  const guid = /^<([^@]+)@/.exec(mail?.header('message-id') ?? '')?.[1];
  if (mail === undefined || guid === undefined) throw new Error('no email was sent');
  const transport = createTransport(installation.mails.url);
  const envelope = { from: mail.from, to: [...mail.to] };
  await transport.sendMail({ envelope, raw: mail.source });
  await transport.sendMail({ envelope, raw: mail.source.replaceAll(guid, unknown) });
  transport.close();
  return guid;
}

/** Damages the installation in each way; returns what the proof must find. */
async function damage(evidence: Evidence): Promise<readonly string[]> {
  const { installation, database, journal } = evidence;
  const encodes = journal.accepted.filter(({ sha256 }) => sha256 !== null);
  // the email of an operation is deleted together with its notification
  const unnoticed = encodes.find(({ sent }) => sent === null);
  const [lost, changed] = encodes.filter((one) => one !== unnoticed);
  if (!lost || !changed || !unnoticed) throw new Error('too few cycles');

  await unlink(await findEncoded(evidence, lost.guid));
  await using file = await open(await findEncoded(evidence, changed.guid), 'r+');
  await file.write('other bytes', 0);
  await writeFile(join(fileURLToPath(installation.config.storageUrl), 'orphan'), '');
  await database.ask((db) =>
    db.deleteFrom('notification').where('guid', '=', unnoticed.guid).execute(),
  );
  const [unknown, forgotten] = [newGuid(), newGuid()];
  const twice = await deliverAgain(evidence, unknown);
  // its user has seen a record that the database does not have
  journal.accepted.push({ ...lost, guid: forgotten, sent: null, sha256: null });
  return [
    `the encoded file of ${lost.guid} cannot be read`,
    `the file ${lost.guid}/1/`,
    `the encoded file of ${changed.guid} cannot be read: Error: the answer is 410`,
    '1 files are orphaned',
    `the database has no notification of ${unnoticed.guid}`,
    `email ${twice} was delivered 2 times in 1 attempts`,
    `an email of ${unknown} was delivered, but never asked for`,
    `operation ${forgotten} was accepted and is gone`,
  ];
}

test('the proof finds damage of each kind', { tags: 'release' }, async () => {
  let expected: readonly string[] = [];
  const { faults } = await runChaos({
    layout: 'embedded',
    seed: 'damage',
    kills: 0,
    cycles: 6,
    beforeProof: async (evidence) => {
      expected = await damage(evidence);
    },
  });
  const missed = expected.filter((start) => !faults.some((fault) => fault.startsWith(start)));
  expect({ missed, faults: missed.length === 0 ? [] : faults }).toEqual({ missed: [], faults: [] });
});
