/** A late download of a file that expires, by the link of an email and by a program: it is sealed again for them too. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { listAudit } from '../../../src/audit/read-audit.ts';
import { type ServerTextKey, textsByLocale } from '../../../src/texts/texts.ts';
import { sharePathIn } from '../../email/mail-server.ts';
import { addProgram, type Program } from '../../encoding-api/program.ts';
import { expiring, refusal, useSealing } from './sealing-workshop.ts';

describe.each(expiring)('$family:', (make) => {
  const { family } = make;
  const { workshop, encodeOld, makeOlder, stateOf, sealUntil, describeJob } = useSealing(make);

  describe('the link of an email', () => {
    const contains = (page: string, key: ServerTextKey) =>
      [...textsByLocale.values()].some((texts) => page.includes(texts[key]));

    async function openLink(hours: number) {
      const encoded = await encodeOld(hours, 'garage@rossi.test');
      const url = new URL(sharePathIn(await workshop.mails.next()), workshop.portal.url);
      const show = async () => {
        const answer = await fetch(url);
        return { page: await answer.text(), refresh: answer.headers.get('refresh') };
      };
      return { ...encoded, url, show };
    }

    // promise e3.makes.sealed
    test('seals the file again when it is used, and not when it is opened', async () => {
      const { url, show, image, slotGUID, fileGUID } = await openLink(30);
      const opened = await show();
      expect([contains(opened.page, 'shareSealDue'), opened.refresh]).toEqual([true, null]);
      // the times of a file that is not sent
      expect(contains(opened.page, 'shareWriteBefore')).toBe(false);
      expect((await stateOf(fileGUID)).state).toBe('due');

      const used = await fetch(url, { method: 'POST' });
      expect([used.status, used.headers.get('refresh')]).toEqual([202, '3']);
      expect(contains(await used.text(), 'shareSealing')).toBe(true);
      await expect.poll(async () => (await show()).refresh).toBeNull();
      const { page } = await show();
      const { sealedOn } = await stateOf(fileGUID);
      expect(page).toContain(`datetime="${sealedOn}"`);
      const { rows } = await sql<{ code: string }>`select code from receipt
        where slot_guid = ${slotGUID} order by issued_on desc`.execute(workshop.portal.platform.db);
      const codes = rows.map(({ code }) => page.includes(`/${code}"`));
      expect(codes).toEqual([true, false]);
      const taken = await fetch(url, { method: 'POST' });
      expect(taken.status).toBe(200);
      expect(make.open(new Uint8Array(await taken.arrayBuffer()))).toEqual({
        slave: 'Golf',
        image,
      });
      expect(workshop.service.sealed).toHaveLength(1);
      const delivered = (await describeJob(slotGUID)).files.at(-1);
      expect(delivered).toMatchObject({
        sealedAgain: { fileGUID, kind: 'link', name: 'garage@rossi.test' },
      });
    });

    test('offers the earlier file if the service refuses', async () => {
      const { url, show, image, slotGUID, fileGUID } = await openLink(30);
      workshop.service.misbehave(refusal, 1);
      await fetch(url, { method: 'POST' });
      await expect.poll(async () => contains((await show()).page, 'shareSealRefused')).toBe(true);
      const earlier = await fetch(`${url.href}?delivery=earlier`, { method: 'POST' });
      expect(earlier.status).toBe(200);
      expect(make.open(new Uint8Array(await earlier.arrayBuffer()))).toEqual({
        slave: 'Golf',
        image,
      });
      expect(workshop.service.sealed).toEqual([]);
      const starts = async () => {
        const { db } = workshop.portal.platform;
        while ((await appendWaiting(db)) > 0);
        let count = 0;
        for await (const { entry } of listAudit(db, { action: 'share.sealAgain' }))
          if (entry.object?.['file'] === fileGUID) count += 1;
        return count;
      };
      expect(await starts()).toBe(1);

      // anyone may have the link: it must not be a way to flood the service
      await fetch(url, { method: 'POST' });
      expect((await stateOf(fileGUID)).state).toBe('failed');
      await sql`update operation set completed_on = now() - interval '11 minutes'
        where slot_guid = ${slotGUID} and is_background`.execute(workshop.portal.platform.db);
      await fetch(url, { method: 'POST' });
      await expect.poll(async () => (await stateOf(fileGUID)).state).toBe('fresh');
      expect([await starts(), workshop.service.sealed.length]).toEqual([2, 1]);
    });
  });

  test('shows a receiver neither the name that the file has nor the words of the service', async () => {
    const { fileGUID } = await encodeOld(30, 'garage@rossi.test');
    const luca = await workshop.portal.signIn('luca@demo.test');
    await sql`update notification set target_file_name = 'shared', receiver_organisation_guid =
        (select guid from organisation where name = 'Garage Rossi')
      where target_file_guid = ${fileGUID}`.execute(workshop.portal.platform.db);
    workshop.service.misbehave(refusal, 1);
    const failed = await sealUntil('failed', fileGUID, luca);
    expect(failed).toMatchObject({ reason: 'ENGINE_REFUSED', detail: null });
    expect(failed).not.toHaveProperty('fileName');
  });

  /** A read that a program has decoded, and how it encodes it. */
  async function openSlotOf(program: Program) {
    const read = make.seal('Golf', randomBytes(64));
    const decoded = await program.decode(`/api/${family}/decode-read-file/C-1`, read);
    const { slotGUID } = await program.succeed(decoded);
    const encode = async () => {
      const body = { [`${family}FileSlotGUID`]: slotGUID };
      const asked = await program.post(`/api/${family}/encode-file`, body);
      const address = (await program.succeed(asked)).result['encodedFileURL'] ?? '';
      return { address, fileGUID: /files\/([^/?]+)/.exec(address)?.[1] ?? '' };
    };
    return { slotGUID, encode };
  }

  test('a program gets the file that was encoded last, though an earlier one was sealed again', async () => {
    const program = await addProgram(workshop.portal);
    const { slotGUID, encode } = await openSlotOf(program);
    const first = await encode();
    const last = await encode();
    await makeOlder(first.fileGUID, 30);
    await sealUntil('fresh', first.fileGUID);
    const path = `/api/${family}/file-slots/${slotGUID}/files/?fileType=Encoded`;
    expect((await program.get(path)).json).toEqual((await program.get(last.address)).json);
  });

  // promise e3.makes.sealed
  test('a program repeats its request until the file is sealed again', async () => {
    const program = await addProgram(workshop.portal);
    const { address, fileGUID } = await (await openSlotOf(program)).encode();
    expect((await program.get(address)).status).toBe(200);
    await makeOlder(fileGUID, 30);
    workshop.service.sealed.length = 0;
    workshop.service.misbehave(refusal, 1);
    const first = await program.get(address);
    expect([first.status, first.text]).toEqual([409, 'FILE_BEING_SEALED']);
    expect(first.headers.get('retry-after')).not.toBeNull();
    const poll = async (query = '') => (await program.get(address + query)).text.slice(0, 17);
    await expect.poll(() => poll()).toBe('ENGINE_REFUSED');
    expect((await program.get(`${address}?seal=earlier`)).status).toBe(200);
    expect(workshop.service.sealed).toEqual([]);
    expect(await poll('?seal=again')).toBe('FILE_BEING_SEALED');
    await expect.poll(async () => (await program.get(address)).status).toBe(200);
    expect(workshop.service.sealed).toHaveLength(1);
  });
});
