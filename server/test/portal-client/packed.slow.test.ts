/** `recodery-remote`: the package that `npm run pack-remote` makes, in an empty folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { run } from '../../../tools/pack-remote.ts';
import { startTestPortal, type RunningPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal } from '../journeys/families/component-workflow.ts';
import { openRemote } from './remote-command.ts';

let portal: RunningPortal;
let folder: string;
let archive: string;
/** The unpacked package. */
let unpacked: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-packed-'));
  unpacked = join(folder, 'package');
  [portal] = await Promise.all([startTestPortal(), run([folder])]);
  [archive = ''] = await readdir(folder);
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the package is small, has no dependencies, and names its version', async () => {
  expect((await stat(join(folder, archive))).size).toBeLessThan(1_000_000);
  expect((await readdir(unpacked)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'recodery-remote.mjs',
  ]);
  const manifest: Record<string, unknown> = JSON.parse(
    await readFile(join(unpacked, 'package.json'), 'utf8'),
  );
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  const version = execFileSync(process.execPath, ['recodery-remote.mjs', '--version'], {
    cwd: unpacked,
    env: {},
    encoding: 'utf8',
  });
  expect(version).toBe(`${String(manifest['version'])}\n`);
});

// promise e2.remote.packed
test('the program decodes and encodes like `recodery remote`', async () => {
  const program = [join(unpacked, 'recodery-remote.mjs')];
  const remote = await openRemote(portal.url, await portal.addClient(), program);
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const images = imagesOf(9000, 1, { obd: 4096 });
  await remote.write('read.tfc', seal(slave, { protocolId: 9000, mode: 'obd', images }));
  const to = ['-o', remote.folder];
  const decoded = await remote.run('decode', join(remote.folder, 'read.tfc'), ...to, '--json');
  expect([decoded.code, decoded.complaint]).toEqual([0, '']);
  const { slot } = JSON.parse(decoded.out) as { readonly slot: string };
  const modified = images.get('obd')?.toReversed() ?? new Uint8Array();
  await remote.write('modified.bin', modified);
  const given = ['--modified', join(remote.folder, 'modified.bin')];
  const encoded = await remote.run('encode', '--slot', slot, ...given, ...to);
  expect([encoded.code, encoded.complaint]).toEqual([0, '']);
  const file = await readFile(encoded.out.trim());
  const [written] = acceptEncoded({ ...slave, file }).components;
  expect(Buffer.from(written?.bytes ?? [])).toEqual(Buffer.from(modified));
  await remote.stop();
});

test('errors begin with the name of the file that was started', async () => {
  const start = (file: string, ...words: readonly string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [file, ...words], {
      cwd: unpacked,
      env: {},
      encoding: 'utf8',
    });
    return [status, stderr.split('\n', 1)[0]];
  };
  const access = ['--url', portal.url, '--client', newGuid(), '--secret-file', 'none'];
  const words = ['decode', 'none.tfc', '-o', '.', ...access];
  const [code, complaint] = start('recodery-remote.mjs', ...words);
  expect([code === 0, complaint]).toEqual([false, expect.stringMatching(/^recodery-remote: /)]);
  await copyFile(join(unpacked, 'recodery-remote.mjs'), join(unpacked, 'portal.mjs'));
  expect(start('portal.mjs', ...words)[1]).toMatch(/^portal: /);
  expect(start('portal.mjs', '--help')[0]).toBe(0);
});
