/** Receipts: every encoded file has one, anyone can check it, and every change to it is detected. */
import { createHash, randomBytes } from 'node:crypto';
import { decodeResult as ktagResult } from '@recodery/contract/families/ktag';
import type { ReceiptContent, SignedReceipt } from '@recodery/contract/features/receipts';
import { encodeResult } from '@recodery/contract/results';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { deleteExpiredSlotRows } from '../../src/slots/slot-expiry.ts';
import { deleteExpiredSlots } from '../../src/upkeep/delete-expired-slots.ts';
import { signReceipt } from '../../src/receipts/jws.ts';
import { receiptKeyPurpose } from '../../src/receipts/receipt-keys.ts';
import {
  type Images,
  imagesOf,
  keep,
  resultOf,
  seal,
  uploadTo,
} from '../journeys/families/component-workflow.ts';
import { decodeKess3, encodeObd } from '../journeys/families/kess3-workflow.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { startReceipts, vin, image, read } from './receipt-workshop.ts';

const { portal, anna, encodeKessv2, ask, receiptOf, contentOf, check, foundBy, keysNow } =
  await startReceipts();

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const fileOf = (role: string, component: string | null, bytes: Uint8Array) => ({
  role,
  component,
  size: bytes.length,
  sha256: hashOf(bytes),
});

// promise d11.receipts.every-encode
describe('an encoded file has a receipt', () => {
  test('of KESSv2, with the decoded, the modified and the encoded file', async () => {
    const modified = image.toReversed().fill(1, 0, 9);
    const { result } = await encodeKessv2(modified);
    const encoded = (await anna.get(result.encodedFileURL)).bytes;
    expect(result.receiptCode).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await contentOf(result)).toEqual({
      type: 'recodery-receipt',
      version: 1,
      code: result.receiptCode,
      portal: portal.platform.config.publicUrl,
      encodedOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      family: 'kessv2',
      slave: 'KV2-000007',
      protocol: { id: 9000, name: 'REF-OPEN' },
      readChecksums: null,
      files: [
        fileOf('decoded', 'obd', image),
        fileOf('modified', 'obd', modified),
        fileOf('encoded', null, encoded),
      ],
    });
  });

  test('of KESSv2 that was encoded again, at the time at which the operation finished', async () => {
    const { result, slot } = await encodeKessv2();
    const { files, encodedOn } = await contentOf(result);
    expect(files.map(({ role }) => role)).toEqual(['decoded', 'encoded']);
    const { db } = portal.platform;
    const operations = db
      .selectFrom('operation')
      .select('completed_on')
      .where('slot_guid', '=', slot);
    const rows = await operations.where('type', '=', 'KESSv2Encode').execute();
    expect(rows.map((row) => row.completed_on?.toISOString())).toEqual([encodedOn]);
  });

  test('of K-TAG, with each component', async () => {
    const slave = await portal.getSlave('ktag', 'KTG-000007');
    const images: Images = imagesOf(9000, 1, { flash: 64 * 1024, eeprom: 1024 });
    const sealed = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
    const path = '/api/ktag/upload-read-backup';
    const decoded = ktagResult.parse(await resultOf(anna, await uploadTo(anna, path, sealed)));
    const flash = images.get('flash')?.toReversed() ?? new Uint8Array();
    const slot = decoded.ktagSlotGUID;
    const upload = `/api/ktag/upload-modified-component-file/${slot}/flash`;
    const { fileGUID } = await keep(anna, upload, flash);
    const body = { ktagFileSlotGUID: slot, FlashFileGUID: fileGUID };
    const result = encodeResult.parse(
      await resultOf(anna, await anna.post('/api/ktag/encode-backup', body)),
    );
    const { files, family } = await contentOf(result);
    expect(family).toBe('ktag');
    expect(files.slice(0, 3)).toEqual([
      ...[...images].map(([name, bytes]) => fileOf('decoded', name, bytes)),
      fileOf('modified', 'flash', flash),
    ]);
    expect(files[3]?.sha256).toBe(result.sha256);
  });

  test('of KESS3', async () => {
    const slave = await portal.getSlave('kess3', 'KS3-000042');
    const images = new Map([['obd', image] as const]);
    const decoded = await decodeKess3(anna, slave, { protocolId: 9000, mode: 'obd', images });
    const modified = image.toReversed().fill(2, 0, 5);
    const result = await encodeObd(anna, decoded.kess3FileSlotGUID, { modified });
    const { files, slave: serial } = await contentOf(result);
    expect(serial).toBe('KS3-000042');
    expect(files.map(({ role, sha256 }) => [role, sha256])).toEqual([
      ['decoded', hashOf(image)],
      ['modified', hashOf(modified)],
      ['encoded', result.sha256],
    ]);
  });

  test('in the list of its slot, which only its organisation can read', async () => {
    const { slot, result } = await encodeKessv2();
    const path = `/api/slots/${slot}/receipts`;
    const { json } = await anna.get(path);
    expect(json).toEqual([
      {
        code: result.receiptCode,
        url: `${portal.platform.config.publicUrl}/receipts/${result.receiptCode}`,
        fileGUID: result.fileGUID,
        operationGUID: expect.any(String),
        issuedOn: (await contentOf(result)).encodedOn,
        receipt: await receiptOf(result),
      },
    ]);
    const mia = await portal.signIn('mia@demo.test');
    expect((await mia.get(path)).status).toBe(404);
  });

  // promise d11.receipts.no-vehicle
  test('without the VIN, names of files, users and organisations', async () => {
    const { result } = await encodeKessv2();
    const { text } = await ask(`/receipts/${result.receiptCode}`);
    const json = JSON.stringify(await contentOf(result));
    for (const secret of [vin, 'golf', 'anna', 'Officina', 'Rossi', 'CC-1001', result.name]) {
      expect(json).not.toContain(secret);
      expect(text).not.toContain(secret);
    }
  });
});

// promise d11.receipts.old
test('a file that was encoded before receipts existed has none, and the result shows this', async () => {
  const { result, slot } = await encodeKessv2();
  const { db } = portal.platform;
  await sql`update operation set result = result - 'receiptCode' where slot_guid = ${slot}`.execute(
    db,
  );
  await sql`delete from receipt where slot_guid = ${slot}`.execute(db);
  const operations = db.selectFrom('operation').select('guid').where('slot_guid', '=', slot);
  const { guid } = await operations.where('type', '=', 'KESSv2Encode').executeTakeFirstOrThrow();
  const { json } = await anna.get(`/api/async-operations/${guid}`);
  expect(json).toMatchObject({ result: { name: result.name, receiptCode: null } });
  expect((await anna.get(`/api/slots/${slot}/receipts`)).json).toEqual([]);
});

// promise d11.receipts.together
test('an encode that cannot record its receipt does not finish, and leaves no file', async () => {
  const { db } = portal.platform;
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image));
  await sql`alter table receipt add constraint planted check (slot_guid <> ${sql.lit(slot)})`.execute(
    db,
  );
  const answer = await anna.post('/api/kessv2/reencode-decoded-file', { kessv2FileSlotGUID: slot });
  const ended = await anna.follow(answer.json as never);
  await sql`alter table receipt drop constraint planted`.execute(db);
  expect(ended.hasFailed).toBe(true);
  const files = db.selectFrom('stored_file').select('role').where('slot_guid', '=', slot);
  expect((await files.execute()).map(({ role }) => role)).not.toContain('encoded');
});

// promise d11.receipts.outlives
test('a receipt outlives its file, its slot and the vehicle data', async () => {
  const { slot, result } = await encodeKessv2();
  const before = await receiptOf(result);
  const { db } = portal.platform;
  for (const table of ['slot', 'operation'] as const)
    await sql`update ${sql.table(table)} set created_on = now() - interval '99 days'
      where ${sql.ref(table === 'slot' ? 'guid' : 'slot_guid')} = ${slot}`.execute(db);
  await sql`update stored_file set deleted_on = now(), swept_on = now() where slot_guid = ${slot}`.execute(
    db,
  );
  expect(await deleteExpiredSlots(db, 90, 100)).toBe(1);
  expect(await deleteExpiredSlotRows(db, 100)).toBe(1);
  expect(await receiptOf(result)).toEqual(before);
  expect(await foundBy({ sha256: result.sha256 })).toBe('found');
  expect((await anna.get(`/api/slots/${slot}/receipts`)).json).toHaveLength(1);
});

// promise d11.receipts.check
describe('a check', () => {
  test('finds a receipt by its code, however it is typed, by the receipt itself, and by its encoded file', async () => {
    const { result } = await encodeKessv2();
    const { receiptCode: code, sha256 } = result;
    const content = await contentOf(result);
    const typed = String(code)
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l');
    const receipt = await receiptOf(result);
    for (const body of [{ code }, { code: typed }, { receipt }, { sha256 }, { code, sha256 }])
      expect(await check(body)).toEqual({ check: 'found', content });
  });

  test('finds nothing by the hash of a decoded or modified file: others may have the same', async () => {
    const modified = new Uint8Array(randomBytes(4096));
    await encodeKessv2(modified);
    for (const sha256 of [hashOf(image), hashOf(modified)])
      expect(await check({ sha256 })).toEqual({ check: 'unknown', content: null });
  });

  test.each([{ code: '0000-0000-0000-0000' }, { code: 'x' }, { sha256: 'a'.repeat(64) }, {}])(
    'finds nothing by %j',
    async (body) => {
      expect(await check(body)).toEqual({ check: 'unknown', content: null });
    },
  );

  test('finds nothing by a wrong code, even if the file is right', async () => {
    const { result } = await encodeKessv2();
    const body = { code: 'ZZZZ-ZZZZ-ZZZZ-ZZZZ', sha256: result.sha256 };
    expect(await foundBy(body)).toBe('unknown');
  });

  // promise d11.receipts.forged
  test('detects every forgery', async () => {
    const { result } = await encodeKessv2();
    const receipt = await receiptOf(result);
    const write = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = read<Record<string, string>>(receipt.protected);
    const content = read<ReceiptContent>(receipt.payload);
    const otherHash = content.files.map((file) => ({
      ...file,
      sha256: hashOf(image.toReversed()),
    }));
    const ownKey = new Uint8Array(randomBytes(32));
    const byOther = await signReceipt(ownKey, content);
    const forgeries: readonly (readonly [string, SignedReceipt, string])[] = [
      ['another hash', { ...receipt, payload: write({ ...content, files: otherHash }) }, 'altered'],
      ['another slave', { ...receipt, payload: write({ ...content, slave: 'KV2-1' }) }, 'altered'],
      ['another key', byOther, 'foreign'],
      ['another key under our id', { ...byOther, protected: receipt.protected }, 'altered'],
      [
        'alg none',
        { ...receipt, protected: write({ ...header, alg: 'none' }), signature: '' },
        'altered',
      ],
      ['alg HS256', { ...receipt, protected: write({ ...header, alg: 'HS256' }) }, 'altered'],
      ['a key in the header', { ...byOther, protected: write({ ...header, jwk: {} }) }, 'altered'],
      ['no signature', { ...receipt, signature: '' }, 'altered'],
      ['half a signature', { ...receipt, signature: receipt.signature.slice(0, 43) }, 'altered'],
      ['another way to write it', { ...receipt, signature: `${receipt.signature}=` }, 'altered'],
      ['no JSON', { ...receipt, protected: 'e30' }, 'altered'],
    ];
    const seen = await Promise.all(
      forgeries.map(async ([what, forged]) => [what, await foundBy({ receipt: forged })]),
    );
    expect(seen).toEqual(forgeries.map(([what, , expected]) => [what, expected]));
  });

  test('does not accept what a stolen key has signed: no portal has recorded it', async () => {
    const { result } = await encodeKessv2();
    const content = await contentOf(result);
    const { key } = await portal.platform.secrets.getCurrentKey(receiptKeyPurpose);
    expect(await foundBy({ receipt: await signReceipt(key, { ...content, slave: 'KV2-1' }) })).toBe(
      'unknown',
    );
    const own = { ...content, code: '0000-0000-0000-0001' };
    expect(await foundBy({ receipt: await signReceipt(key, own) })).toBe('unknown');
  });

  test('detects a change in the database, which the page does not show', async () => {
    const { result, slot } = await encodeKessv2();
    const { db } = portal.platform;
    await sql`update receipt set receipt = replace(receipt, '.', '.A') where slot_guid = ${slot}`.execute(
      db,
    );
    expect(await foundBy({ code: result.receiptCode })).toBe('altered');
    expect((await ask(`/receipts/${result.receiptCode}`)).status).toBe(404);
    await sql`delete from receipt where slot_guid = ${slot}`.execute(db);
  });

  // promise d11.receipts.limited
  test('is limited for each address, like the page, the JSON and the keys', async () => {
    const paths = [
      ['/api/receipts/check', { code: 'x' }],
      ['/receipts/x', undefined],
      ['/receipts/x/receipt.json', undefined],
      ['/receipt-keys.json', undefined],
    ] as const;
    for (const [index, [path, body]] of paths.entries()) {
      const from = `198.51.100.${index}`;
      const answers = [];
      for (let count = 0; count < 121; count += 1)
        answers.push((await ask(path, body, from)).status);
      expect([path, answers.at(-1)]).toEqual([path, 429]);
      expect(answers.slice(0, 120)).not.toContain(429);
    }
  });
});

// promise d11.receipts.page
describe('the public page', () => {
  test('shows the receipt to anyone, with a QR code and every hash, under a strict policy', async () => {
    const { result } = await encodeKessv2(image.toReversed().fill(3, 0, 7));
    const { status, text, headers } = await ask(`/receipts/${result.receiptCode}`);
    expect(status).toBe(200);
    const { files, encodedOn } = await contentOf(result);
    const [key] = await keysNow();
    for (const shown of [result.receiptCode, 'KV2-000007', '9000 REF-OPEN', encodedOn, key?.kid])
      expect(text).toContain(shown);
    for (const { sha256 } of files) expect(text).toContain(sha256);
    expect(text).toMatch(/<svg viewBox="0 0 (\d+) \1" role="img"/);
    expect(text).toContain(`href="/verify#${result.receiptCode}"`);
    expect(text).not.toMatch(/style=|<style|<script>|\son\w+=/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'(?!.*unsafe)/);
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('cache-control')).toBe('no-store');
    // the portal links to it in the language that the user has chosen there
    const german = await ask(`/receipts/${result.receiptCode}?language=de-DE`);
    expect(german.text).toContain('<html lang="de-DE"');
    expect((await ask(`/receipts/${result.receiptCode}?language=xx`)).text).toContain(
      'lang="en-US"',
    );
  });

  test.each(['x', '0000-0000-0000-0000', '..%2F..', '%00'])('has none for %s', async (code) => {
    for (const path of [`/receipts/${code}`, `/receipts/${code}/receipt.json`])
      expect((await ask(path)).status).toBe(404);
  });

  test('is not logged with its code; a download of the JSON is in the audit trail without it', async () => {
    const { slot, result } = await encodeKessv2();
    const [issued] = (await anna.get(`/api/slots/${slot}/receipts`)).json as {
      operationGUID: string;
    }[];
    // a file of which only the headers were requested was not downloaded
    const path = `/receipts/${result.receiptCode}/receipt.json`;
    expect((await fetch(new URL(path, portal.url), { method: 'HEAD' })).status).toBe(200);
    await receiptOf(result);
    const { db } = portal.platform;
    const waiting = await sql<{ entry: string }>`
      select entry from audit_waiting union all select entry from audit_entry`.execute(db);
    const entries = waiting.rows
      .map(({ entry }) => entry)
      .filter(
        (one) => one.includes('downloadReceipt') && one.includes(issued?.operationGUID ?? '–'),
      );
    expect(entries).toHaveLength(1);
    expect(waiting.rows.map(({ entry }) => entry).join('\n')).not.toContain(result.receiptCode);
  });
});

// promise d11.receipts.keys
describe('the keys', () => {
  test('are published without anything private', async () => {
    await encodeKessv2();
    const { json, headers } = await ask('/receipt-keys.json');
    expect(json.keys.map((key: object) => Object.keys(key).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const { key } = await portal.platform.secrets.getCurrentKey(receiptKeyPurpose);
    expect(JSON.stringify(json)).not.toContain(Buffer.from(key).toString('base64url'));
  });

  test('can be renewed and retired: receipts of the old ones stay valid', async () => {
    const { secrets } = portal.platform;
    const before = await encodeKessv2();
    const [old] = await keysNow();
    await secrets.createKey(receiptKeyPurpose);
    await secrets.retireKey(receiptKeyPurpose, 1);
    // every process accepts the new one within a second
    await expect
      .poll(async () => {
        const { result } = await encodeKessv2();
        return read<{ kid: string }>((await receiptOf(result)).protected).kid;
      })
      .not.toBe(old?.kid);
    const keys = await keysNow();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toEqual(old);
    const receipt = await receiptOf(before.result);
    expect(read<{ kid: string }>(receipt.protected).kid).toBe(old?.kid);
    expect(await foundBy({ receipt })).toBe('found');
  });
});
