/** `recodery remote decode` and `encode` for every family and mode, byte for byte, and what they refuse. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { ContainerFamily } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateChecked, makeRight } from '../../../codec/samples/me7-checksums.ts';
import { demoSlaves } from '../fixtures/demo-devices.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import {
  expectImages,
  type Images,
  imagesOf,
  seal,
} from '../journeys/families/component-workflow.ts';
import { openRemote, type RemoteCommand } from './remote-command.ts';

let portal: RunningPortal;
let client: AddedClient;
let remote: RemoteCommand;
beforeAll(async () => {
  // every command must close its slot
  portal = await startTestPortal({ RECODERY_OPEN_SLOTS: '1' });
  client = await portal.addClient();
  remote = await openRemote(portal.url, client);
});
afterAll(async () => {
  await remote.stop();
  await portal.stop();
});

interface Decoded {
  readonly slot: string;
  readonly files: readonly { readonly component: ComponentName; readonly file: string }[];
}

async function writeRead(family: ContainerFamily, mode: Mode, images: Images): Promise<string> {
  const slave = await portal.getSlave(family, demoSlaves[family]);
  await remote.write('read.tfc', seal(slave, { protocolId: 9000, mode, images }));
  return join(remote.folder, 'read.tfc');
}

async function decode(path: string): Promise<Decoded> {
  const { code, out, complaint } = await remote.run('decode', path, '-o', remote.folder, '--json');
  expect([code, complaint]).toEqual([0, '']);
  return JSON.parse(out) as Decoded;
}

const image = new Uint8Array(1024);
const bench = { flash: 65_536, micro: 16_384, eeprom: 1024 };

test.each([
  ['kessv2', 'obd', { obd: 4096 }, 'obd', '--modified'],
  ['kess3', 'obd', { obd: 4096 }, 'obd', '--modified'],
  ['kess3', 'bootbench', bench, 'eeprom', '--eeprom'],
  ['ktag', 'bootbench', bench, 'flash', '--flash'],
] as const)('%s %s is decoded and encoded', async (family, mode, sizes, changed, option) => {
  const images = imagesOf(9000, 1, sizes);
  const { slot, files } = await decode(await writeRead(family, mode, images));
  const decoded = new Map<ComponentName, Uint8Array>();
  for (const { component, file } of files) {
    decoded.set(component, await remote.read(file.slice(remote.folder.length + 1)));
  }
  expect(new Set(decoded.keys())).toEqual(new Set(images.keys()));
  expectImages(
    new Map([...images.keys()].map((name) => [name, decoded.get(name) ?? new Uint8Array()])),
    images,
  );

  const modified = (images.get(changed) ?? new Uint8Array()).toReversed();
  await remote.write('modified.bin', modified);
  const given = [option, join(remote.folder, 'modified.bin')];
  const encoded = await remote.run('encode', '--slot', slot, ...given, '-o', remote.folder);
  expect([encoded.code, encoded.complaint]).toEqual([0, '']);
  const file = await remote.read(encoded.out.trim().slice(remote.folder.length + 1));
  const slave = await portal.getSlave(family, demoSlaves[family]);
  const { components } = acceptEncoded({ ...slave, file });
  const written = new Map(components.map(({ name, bytes }) => [name, bytes]));
  expectImages(written, new Map<ComponentName, Uint8Array>([...images, [changed, modified]]));
});

test('--correct-checksums corrects those of a known control unit, and refuses other images', async () => {
  const options = { seed: 5 } as const;
  const stock = generateChecked(options);
  const tuned = stock.slice();
  for (let at = 0x11000; at < 0x11010; at += 1) tuned[at] = (tuned[at] ?? 0) ^ 0x11;
  const encodeTuned = async (read: Uint8Array, modified: Uint8Array) => {
    const { slot } = await decode(await writeRead('kessv2', 'obd', new Map([['obd', read]])));
    await remote.write('modified.bin', modified);
    const given = ['--modified', join(remote.folder, 'modified.bin'), '--correct-checksums'];
    return remote.run('encode', '--slot', slot, ...given, '-o', remote.folder);
  };
  const { code, out, complaint } = await encodeTuned(stock, tuned);
  expect([code, complaint]).toEqual([0, '']);
  const file = await remote.read(out.trim().slice(remote.folder.length + 1));
  const slave = await portal.getSlave('kessv2', demoSlaves.kessv2);
  const expected = tuned.slice();
  makeRight(expected, options);
  const [written] = acceptEncoded({ ...slave, file }).components;
  expect(Buffer.from(written?.bytes ?? []).equals(expected)).toBe(true);
  expect(
    (
      await encodeTuned(
        image,
        image.map(() => 1),
      )
    ).code,
  ).not.toBe(0);
});

describe('several files after --modified', () => {
  const images = imagesOf(9000, 1, bench);
  const modified = new Map<ComponentName, Uint8Array>(
    (['flash', 'eeprom'] as const).map((name) => [name, images.get(name)?.toReversed() ?? image]),
  );

  test.each([
    ['named on the command line', { flash: 'flash=a.bin', eeprom: 'eeprom=b.bin' }],
    ['named by their file names', { flash: 'car.flash.mod.bin', eeprom: 'car.eeprom.bin' }],
    ['named like the samples of the demo', { flash: 'a-flash-modified.bin', eeprom: 'eeprom.bin' }],
    ['with the extensions of the portal', { flash: 'car.fls', eeprom: 'CAR.EPR' }],
  ] as const)('are encoded: %s', async (_, words) => {
    const { slot } = await decode(await writeRead('kess3', 'bootbench', images));
    const given: string[] = [];
    for (const [name, bytes] of modified) {
      const word = words[name as 'flash' | 'eeprom'];
      const file = word.slice(word.indexOf('=') + 1);
      await remote.write(file, bytes);
      given.push(word.replace(file, join(remote.folder, file)));
    }
    const { code, out, complaint } = await remote.run(
      ...['encode', '--slot', slot, '--modified', ...given, '-o', remote.folder],
    );
    expect([code, complaint]).toEqual([0, '']);
    const file = await remote.read(out.trim().slice(remote.folder.length + 1));
    const slave = await portal.getSlave('kess3', demoSlaves.kess3);
    const written = acceptEncoded({ ...slave, file }).components;
    expectImages(
      new Map(written.map(({ name, bytes }) => [name, bytes])),
      new Map([...images, ...modified]),
    );
  });

  test.each([
    [['a.bin', 'b.bin'], 'Which component is'],
    [['flash=a.bin', 'flash=b.bin'], 'flash was passed twice'],
    [['flash=a.bin', 'obd=b.bin'], 'not both'],
    [['flash=a.bin', '--flash', 'b.bin'], 'flash was passed twice'],
  ])('are refused when it is unclear what they are: %j', async (given, reason) => {
    const refused = await remote.run('encode', '--slot', 'x', '-o', '.', '--modified', ...given);
    expect([refused.code, refused.out]).toEqual([2, '']);
    expect(refused.complaint).toContain(reason);
  });
});

test('reports which component a read file does not have', async () => {
  const { slot: one } = await decode(
    await writeRead('kess3', 'obd', imagesOf(9000, 1, { obd: 4096 })),
  );
  const { slot: several } = await decode(
    await writeRead('kess3', 'bootbench', imagesOf(9000, 1, bench)),
  );
  await remote.write('car.flash.bin', image);
  await remote.write('car.bin', image);
  for (const [slot, word, reason] of [
    [one, 'car.flash.bin', 'the read file has no flash. If it is the one image'],
    [several, 'car.bin', 'the read file has components. Pass each as COMPONENT=FILE'],
  ] as const) {
    const given = ['--modified', join(remote.folder, word)];
    const refused = await remote.run('encode', '--slot', slot, ...given, '-o', remote.folder);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.complaint).toContain(`${word}: ${reason}`);
  }
});

test('accepts any file name where there is one image', async () => {
  const images = imagesOf(9000, 1, { obd: 4096 });
  const { slot } = await decode(await writeRead('kessv2', 'obd', images));
  await remote.write('car.flash.bin', images.get('obd')?.toReversed() ?? image);
  const given = ['--modified', join(remote.folder, 'car.flash.bin'), '-o', remote.folder];
  expect((await remote.run('encode', '--slot', slot, ...given)).code).toBe(0);
});

// promise e2.remote.overwrites
test('decoding into the same folder again does not overwrite files', async () => {
  const path = await writeRead('kessv2', 'obd', imagesOf(9000, 1, { obd: 4096 }));
  const [one] = (await decode(path)).files;
  const name = one?.file.slice(remote.folder.length + 1) ?? '';
  await remote.write(name, 'something else');
  await decode(path);
  expect((await remote.read(name)).toString()).toBe('something else');
});

test('also accepts the base address of the Encoding API', async () => {
  const path = await writeRead('kessv2', 'obd', imagesOf(9000, 1, { obd: 4096 }));
  const other = await openRemote(`${portal.url}/encoding-api/`, client);
  expect((await other.run('decode', path, '-o', other.folder)).code).toBe(0);
  await other.stop();
});

test.each([
  [['decode', 'read.bin', '-o', '.'], 1, 'read.bin is not a sealed file'],
  [['decode', 'nothing.bin', '-o', '.'], 1, 'Could not read'],
  [['encode', '--slot', 'x', '-o', '.'], 2, 'Pass --modified FILE'],
  [['encode', '--slot', 'x', '-o', '.', '--modified', 'a', '--flash', 'b'], 2, 'not both'],
  [['encode', '--slot', 'x', '-o', '.', '--modified', 'read.bin'], 1, 'There is no slot x'],
  [['watch', 'read.bin'], 1, 'is not a folder'],
  [['decode', 'read.bin', '--family', 'kess3', '-o', 'read.bin'], 1, 'is not a folder.\n'],
  [['decode', 'empty.bin', '-o', '.'], 1, 'empty.bin is empty'],
  [['decode', 'read.bin', '-o', '.', '--user-code', ''], 2, '--user-code must not be empty'],
  [
    ['decode', 'read.bin', '-o', '.', '--user-code', 'a\u001bb'],
    2,
    '--user-code must not be empty',
  ],
])('refuses %j', async (words, code, reason) => {
  await remote.write('read.bin', 'no read file');
  await remote.write('empty.bin', '');
  const paths = words.map((word) => (word.endsWith('.bin') ? join(remote.folder, word) : word));
  const refused = await remote.run(...paths);
  expect([refused.code, refused.out]).toEqual([code, '']);
  expect(refused.complaint).toContain(reason);
});

test('reports a modified file of the wrong size, and closes the slot', async () => {
  const { slot } = await decode(await writeRead('kessv2', 'obd', imagesOf(9000, 1, { obd: 4096 })));
  await remote.write('modified.bin', new Uint8Array(100));
  const path = join(remote.folder, 'modified.bin');
  const refused = await remote.run('encode', '--slot', slot, '--modified', path, '-o', '.');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.complaint).toMatch(/modified\.bin: [A-Z_]+ \(status 400\)\n$/);
  const open = portal.platform.db.selectFrom('slot').where('opened_by_client_guid', 'is not', null);
  expect(await open.select('guid').execute()).toEqual([]);
});

// promise e2.remote.ends
test.each(['decode', 'watch'])('%s exits if the secret is wrong', async (command) => {
  const path = await writeRead('kessv2', 'obd', imagesOf(9000, 1, { obd: 4096 }));
  const other = await openRemote(portal.url, { ...client, secretKey: 'wrong' });
  const words = command === 'decode' ? [path, '-o', other.folder] : [other.folder];
  const refused = await other.run(command, ...words);
  expect(refused.code).toBe(1);
  expect(refused.complaint).toContain('INVALID_CREDENTIALS (status 403). Check --client');
  await other.stop();
});

test('reports that an address is not that of a portal', async () => {
  const path = await writeRead('kessv2', 'obd', imagesOf(9000, 1, { obd: 4096 }));
  const other = await openRemote(`${portal.url}/login`, client);
  const refused = await other.run('decode', path, '-o', other.folder);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.complaint).toContain('/login is not the address of a portal');
  await other.stop();
});

// promise e2.remote.node
test('starts without database and web server', async () => {
  // used with `node --import`: exits if the command loads a module that it must not load
  const guard = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (/^(pg|kysely|fastify|pino|@aws-sdk.*)$/.test(name)) throw new Error('loads ' + name);
      return next(name, context);
    } });`;
  const program = resolve(import.meta.dirname, '../../src/main.ts');
  const run = (word: string) => {
    const script = `const { main } = await import(${JSON.stringify(program)}); await main(['${word}', '--help']);`;
    const guarded = `data:text/javascript,${encodeURIComponent(guard)}`;
    return spawnSync(process.execPath, ['--import', guarded, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
  };
  expect(run('remote')).toMatchObject({ status: 0, stdout: expect.stringContaining('watch') });
  expect(run('client').stderr).toMatch(/loads (pg|kysely)/);
});
