/** The zip of a tray: all its files under names that differ, and a list of them. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { encode, keepImage } from '../journeys/families/kessv2-workflow.ts';
import { startTrays, image, codeOf } from './tray-workshop.ts';

const { portal, anna, mia, readOf, backupOf, add, get, decodeAll, fetchZip } = await startTrays();

beforeEach(() => portal.startWorker());

describe('the zip', () => {
  // promise 4.tray.zip
  test('contains all decoded files under names that differ, and a list of them', async () => {
    const tray = await decodeAll([
      await readOf(20),
      await readOf(21),
      await backupOf('ktag', 'KTG-000007'),
    ]);
    // reads of the same second have the same name
    const { db } = portal.platform;
    const slots = tray.files.slice(0, 2).map(({ slotGUID }) => slotGUID ?? '');
    await sql`
      update stored_file set name = 'same.bin'
      where role = 'decoded' and slot_guid = any(${slots}::uuid[])`.execute(db);
    const { files, manifest } = await fetchZip(tray, 'Decoded');
    expect(Object.keys(files).slice(0, 2)).toEqual(['same.bin', 'same-2.bin']);
    expect(Object.keys(files)).toHaveLength(4);
    expect(Buffer.from(image(20)).equals(files['same.bin'] ?? Buffer.alloc(0))).toBe(true);
    expect(Buffer.from(image(21)).equals(files['same-2.bin'] ?? Buffer.alloc(0))).toBe(true);
    const [head, first, ...others] = manifest.trimEnd().split('\r\n');
    expect(head).toBe('File\tSize\tSHA-256\tRead file\tFamily\tSlot\tSealed\tWrite before\tEngine');
    const sha256 = createHash('sha256').update(image(20)).digest('hex');
    expect(first).toBe(`same.bin\t4096\t${sha256}\tcar-20.k2r\tkessv2\t${slots[0]}\t\t\t`);
    expect(others).toHaveLength(3);
  });

  // promise 4.tray.zip
  test('contains the newest encoded file of each slot', async () => {
    const tray = await decodeAll([await readOf(22), await readOf(23)]);
    const slot = tray.files[0]?.slotGUID ?? '';
    const encodeWith = async (value: number) => {
      const { fileGUID } = await keepImage(anna, 'modified', slot, image(22).with(100, value));
      return encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID });
    };
    await encodeWith(1);
    const newest = await encodeWith(2);
    const { files } = await fetchZip(tray, 'Encoded');
    expect(Object.keys(files)).toEqual([newest.name]);
    expect(
      createHash('sha256')
        .update(files[newest.name] ?? '')
        .digest('hex'),
    ).toBe(newest.sha256);
    expect((await get(tray)).files.map(({ encode: one }) => one?.isSuccessful)).toEqual([
      true,
      undefined,
    ]);
  });

  test('is recorded in the audit trail with the tray, and with its files as downloaded', async () => {
    const tray = await decodeAll([await readOf(24)]);
    await fetchZip(tray, 'Decoded');
    const { db } = portal.platform;
    const unnoted = async () => {
      const { rows } = await sql`
        select from stored_file where role = 'decoded'
          and not exists (select from download where file_guid = stored_file.guid)
          and slot_guid = ${tray.files[0]?.slotGUID}`.execute(db);
      return rows.length;
    };
    await expect.poll(unnoted).toBe(0);
    const entries = async () => {
      const { rows } = await sql<{ entry: string }>`
        select entry from audit_waiting union all select entry from audit_entry`.execute(db);
      return rows
        .map(({ entry }) => JSON.parse(entry) as { action: string; object: object })
        .filter(({ action }) => action === 'trays.downloadTray');
    };
    await expect
      .poll(entries)
      .toContainEqual(
        expect.objectContaining({ object: { trayGUID: tray.guid, fileType: 'Decoded' } }),
      );
  });

  test('is not found when there are no files, or for another organisation', async () => {
    const tray = await decodeAll([await readOf(25)]);
    const path = `/api/trays/${tray.guid}/files`;
    expect(codeOf(await anna.get(`${path}?fileType=Encoded`))).toBe('404 NOT_FOUND');
    expect((await anna.get(`${path}?fileType=Decoded`)).status).toBe(200);
    expect((await anna.call('HEAD', `${path}?fileType=Decoded`)).status).toBe(200);
    expect((await mia.get(`${path}?fileType=Decoded`)).status).toBe(404);
    expect((await anna.get(`${path}?fileType=Other`)).status).toBe(400);
    const other = await add([await readOf(26)]);
    const { json } = await anna.post(`/api/trays/${other.guid}/ticket`, { fileType: 'Decoded' });
    const ticket = new URL((json as { url: string }).url, portal.url).searchParams.get('ticket');
    const byOther = await fetch(`${portal.url}${path}?fileType=Decoded&ticket=${ticket}`);
    expect(byOther.status).toBe(404);
  });
});
