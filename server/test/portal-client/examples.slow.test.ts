/** The commands and the example in docs/programs.md, exactly as written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import { generateImage } from '@recodery/codec/sample-images/images';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal } from '../journeys/families/component-workflow.ts';
import { protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';

const project = resolve(import.meta.dirname, '../../..');
const samples = 'data/demo/samples/kessv2';
const image = generateImage(protocolOf(9000), 'obd', 1, 4096);
const modified = image.toReversed();

let portal: RunningPortal;
let slave: Slave;
/** Looks like the project folder of a reader who has started the demo. */
let folder: string;
beforeAll(async () => {
  portal = await startTestPortal();
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  folder = await mkdtemp(join(tmpdir(), 'recodery-reader-'));
  await mkdir(join(folder, samples), { recursive: true });
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  await symlink(join(project, 'recodery.mjs'), join(folder, 'node_modules/.bin/recodery'));
  await writeFile(join(folder, samples, 'read-1001.tfc'), sealImage(slave, 9000, image));
  await writeFile(join(folder, samples, 'read-1001-modified.bin'), modified);
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const { config, databaseUrl } = portal.platform;
  const child = spawn(words[0] ?? '', words.slice(1), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      RECODERY_DATA_DIR: config.dataDir,
      RECODERY_DATABASE_URL: databaseUrl,
      RECODERY_SECRET_FILE: join(config.dataDir, 'secret'),
      ...settings,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  const [code] = await once(child, 'close');
  return { code: code as number | null, text };
}

/** The blocks of the document that are marked for this test. */
async function findBlocks(mark: string): Promise<readonly string[]> {
  const text = await readFile(join(project, 'docs/programs.md'), 'utf8');
  const blocks = text.matchAll(/<!-- test: (\w+) -->\n *```sh\n([^`]*)```/g);
  return [...blocks].filter(([, name]) => name === mark).map(([, , block = '']) => block);
}

async function expectEncoded(): Promise<void> {
  const file = await readFile(join(folder, 'encoded.moc'));
  const [written] = acceptEncoded({ ...slave, file }).components;
  expect(Buffer.compare(written?.bytes ?? image, modified)).toBe(0);
}

/** The token and the address of the portal are in the environment of the reader's shell. */
test('six commands lead from a read file to an encoded file', async () => {
  const prepare = (await findBlocks('prepare')).join('\n');
  expect(prepare).toContain('http://localhost:8080');
  const commands = await findBlocks('command');
  expect(commands).toHaveLength(6);
  const checks = await findBlocks('check');
  expect(checks).toHaveLength(1);
  const start = prepare.replace('http://localhost:8080', portal.url);
  const script = [start, ...commands.slice(0, 4), ...checks, ...commands.slice(4)].join('\n');
  const { code, text } = await run(['bash', '-e', '-c', script]);
  expect([code, text]).toEqual([0, expect.stringContaining('Store the secrets now')]);
  expect(Buffer.compare(await readFile(join(folder, 'decoded.bin')), image)).toBe(0);
  // nearly every byte of this modified image differs
  expect(JSON.parse(await readFile(join(folder, 'preflight.json'), 'utf8'))).toMatchObject({
    status: 'amber',
  });
  await expectEncoded();
});

// in each run, the commands above; that each call is as documented, `encoding-api/` proves for every family
test.each([
  ['ktag', 'ktag', 'KTG-000007', 'ktag/backup-9000', 'encoded.unq', ['flash', 'eeprom']],
  ['obd', 'kess3', 'KS3-000042', 'kess3/read-obd-1001', 'encoded.moc', ['obd']],
  ['bench', 'kess3', 'KS3-000042', 'kess3/read-bootbench-9000', 'encoded.moc', ['flash']],
] as const)(
  'the commands for %s do the same',
  { tags: 'release' },
  async (mark, family, serial, path, result, written) => {
    const device = await portal.getSlave(family, serial);
    const mode = mark === 'obd' ? 'obd' : 'bootbench';
    const changed = mode === 'obd' ? 'obd' : 'flash';
    const images = imagesOf(
      9000,
      2,
      mode === 'obd' ? { obd: 4096 } : { flash: 4096, eeprom: 1024 },
    );
    const file = (end: string) => join(folder, 'data/demo/samples', `${path}${end}`);
    await mkdir(dirname(file('')), { recursive: true });
    await writeFile(file('.tfc'), seal(device, { protocolId: 9000, mode, images }));
    await writeFile(file(`${changed === 'flash' ? '-flash' : ''}-modified.bin`), modified);
    const { client } = await portal.addClient();
    const token = { PORTAL: portal.url, TOKEN: client.sessionId };
    const script = [...(await findBlocks('functions')), ...(await findBlocks(mark))].join('\n');
    const { code, text } = await run(['bash', '-e', '-c', script], token);
    expect([code, text]).toEqual([0, '']);
    const encoded = acceptEncoded({ ...device, file: await readFile(join(folder, result)) });
    const wanted = new Map([...images, [changed, modified]]);
    expect(encoded.components.map(({ name }) => name)).toEqual(written);
    for (const { name, bytes } of encoded.components)
      expect(Buffer.compare(bytes, wanted.get(name) ?? image)).toBe(0);
  },
);

test('the TypeScript example has at most 40 lines, sends keys and does the same', async () => {
  const example = await readFile(join(project, 'docs/examples/encode.ts'), 'utf8');
  expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const { guid, secretKey } = await portal.addClient();
  // alone in a folder: it needs no packages
  await copyFile(join(project, 'docs/examples/encode.ts'), join(folder, 'encode.mts'));
  await rm(join(folder, 'encoded.moc'), { force: true });
  const files = [`${samples}/read-1001.tfc`, `${samples}/read-1001-modified.bin`, 'encoded.moc'];
  const settings = { PORTAL: portal.url, CLIENT: guid, SECRET: secretKey };
  const { code, text } = await run([process.execPath, 'encode.mts', ...files], settings);
  expect([code, text]).toEqual([0, '']);
  await expectEncoded();
  const keys = await portal.platform.db
    .selectFrom('idempotency_key')
    .select('key')
    .where('client_guid', '=', guid)
    .execute();
  expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
});
