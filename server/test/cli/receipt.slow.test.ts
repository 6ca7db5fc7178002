/**
 * A receipt checked outside of the portal: by `recodery receipt verify`, and by the example that was written from
 * docs/receipts.md alone. Both accept the genuine one, and no forgery.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ReceiptContent, SignedReceipt } from '@recodery/contract/features/receipts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signReceipt } from '../../src/receipts/jws.ts';
import { callProgram, program } from '../fixtures/command.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, keepImage, sealImage } from '../journeys/families/kessv2-workflow.ts';

const project = resolve(import.meta.dirname, '../../..');
const image = new Uint8Array(4096).fill(7);
const modified = image.toReversed().fill(1, 0, 9);

let portal: RunningPortal;
let folder: string;
let receipt: SignedReceipt;
const inFolder = (name: string): string => join(folder, name);
beforeAll(async () => {
  portal = await startTestPortal();
  folder = await mkdtemp(join(tmpdir(), 'recodery-receipt-'));
  const anna = await portal.signIn('anna@demo.test');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image));
  const { fileGUID } = await keepImage(anna, 'modified', slot, modified);
  const result = await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID });
  const get = async (path: string) => (await fetch(portal.url + path)).bytes();
  const json = await get(`/receipts/${result.receiptCode}/receipt.json`);
  receipt = JSON.parse(Buffer.from(json).toString()) as SignedReceipt;
  await writeFile(inFolder('receipt.json'), json);
  await writeFile(inFolder('keys.json'), await get('/receipt-keys.json'));
  await writeFile(inFolder('encoded.moc'), (await anna.get(result.encodedFileURL)).bytes);
  await writeFile(inFolder('modified.bin'), modified);
  await writeFile(inFolder('other.bin'), randomBytes(100));
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, words, { env: { PATH: '/usr/bin:/bin', ...settings } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  const [code] = await once(child, 'close');
  return { code: code as number | null, text };
}

/** Runs the command in this process. */
async function call(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: '/usr/bin:/bin', ...settings };
  const { code, out, complaint } = await callProgram(['receipt', 'verify', ...words], env);
  return { code, text: out + complaint };
}

/** Checks a file with the command, without a database, or with the example. */
const checkers = {
  'recodery receipt verify': (file: string, signed = 'receipt.json') =>
    call([inFolder(file), '--receipt', inFolder(signed), '--keys', inFolder('keys.json')]),
  'the example of the documentation': (file: string, signed = 'receipt.json') =>
    run([
      join(project, 'docs/examples/verify-receipt.ts'),
      ...[file, signed, 'keys.json'].map(inFolder),
    ]),
};

const write = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = <T>(text: string): T => JSON.parse(Buffer.from(text, 'base64url').toString()) as T;

/** Forgeries of the receipt, each of which names the other file as the encoded one. */
async function forge(): Promise<Readonly<Record<string, SignedReceipt>>> {
  const sha256 = createHash('sha256')
    .update(await readFile(inFolder('other.bin')))
    .digest('hex');
  const content = read<ReceiptContent>(receipt.payload);
  const header = read<Record<string, string>>(receipt.protected);
  const files = content.files.map((file) => (file.role === 'encoded' ? { ...file, sha256 } : file));
  const payload = write({ ...content, files });
  const byOther = await signReceipt(new Uint8Array(randomBytes(32)), { ...content, files });
  return {
    'altered hash': { ...receipt, payload },
    'other key': byOther,
    'other key under the id of ours': { ...byOther, protected: receipt.protected },
    'alg none': { protected: write({ ...header, alg: 'none' }), payload, signature: '' },
    'swapped header': { ...receipt, protected: byOther.protected, payload },
    'header of another purpose': { ...byOther, protected: write({ ...header, typ: 'JWT' }) },
    'no signature': { ...receipt, payload, signature: '' },
  };
}

// promise d11.receipts.offline
describe.each(Object.entries(checkers))('%s', (_name, check) => {
  test('accepts the encoded file and the files that it was made from', async () => {
    const encoded = await check('encoded.moc');
    expect(encoded).toMatchObject({ code: 0, text: expect.stringMatching(/genuine/i) });
    expect(encoded.text).toContain('encoded for KV2-000007 on 2');
    expect(encoded.text).toContain(portal.platform.config.publicUrl);
    expect(await check('modified.bin')).toMatchObject({
      code: 0,
      text: expect.stringContaining('modified file'),
    });
  });

  test('refuses another file', async () => {
    const { code, text } = await check('other.bin');
    expect(code).toBe(1);
    expect(text).toMatch(/the file differs from the receipt/i);
  });

  test('refuses every forgery', async () => {
    const seen: (readonly [string, number | null])[] = [];
    const forgeries = Object.entries(await forge());
    for (const [what, forged] of forgeries) {
      await writeFile(inFolder('forged.json'), JSON.stringify(forged));
      const { code, text } = await check('other.bin', 'forged.json');
      expect(text).not.toMatch(/^genuine/i);
      expect(text).not.toMatch(/differs/);
      seen.push([what, code]);
    }
    expect(seen).toEqual(forgeries.map(([what]) => [what, 1]));
  });
});

test('the command uses the keys of its installation, and exits with 2 if it is used wrongly', async () => {
  const { config, databaseUrl } = portal.platform;
  const settings = {
    RECODERY_DATA_DIR: config.dataDir,
    RECODERY_DATABASE_URL: databaseUrl,
    RECODERY_SECRET_FILE: join(config.dataDir, 'secret'),
  };
  const verify = (...words: readonly string[]) => call(words, settings);
  const file = inFolder('encoded.moc');
  const words = [program, 'receipt', 'verify', file, '--receipt', inFolder('receipt.json')];
  const ours = await run(words, settings);
  expect(ours).toMatchObject({ code: 0, text: expect.stringMatching(/^Genuine: encoded for/) });
  expect((await verify(file)).code).toBe(2);
  expect((await verify(file, '--receipt', inFolder('keys.json'))).code).toBe(1);
  expect((await verify(inFolder('nothing'), '--receipt', inFolder('receipt.json'))).code).toBe(1);
});

test('the example has at most 30 lines, and uses nothing but Node', async () => {
  const text = await readFile(join(project, 'docs/examples/verify-receipt.ts'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(new Set(imports)).toEqual(new Set(['node:crypto', 'node:fs']));
});
