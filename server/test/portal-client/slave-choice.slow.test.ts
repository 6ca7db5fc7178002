/** `recodery remote` where a maker's service needs to know which slave wrote a read file. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { type FakeService, startFakeService } from '../fixtures/makes/fake-service.ts';
import { flexMake as make } from '../../src/demo/doubles/flex.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { masterSerial } from '../../src/demo/doubles/make.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { openRemote, type RemoteCommand } from './remote-command.ts';

let service: FakeService;
let portal: RunningPortal;
let remote: RemoteCommand;
beforeAll(async () => {
  service = await startFakeService(make);
  portal = await startTestPortal();
  await addMake(portal.platform, service);
  const slaves = [{ serial: 'Polo 6', owner: null }];
  const masters = [{ family: make.family, serial: masterSerial(make, '0001'), slaves }];
  await applyDirectory(portal.platform, {
    organisations: [{ customerCode: 'CC-1001', groupCodes: [{ code: 'G-B', masters }] }],
  });
  remote = await openRemote(portal.url, await portal.addClient());
});
afterAll(async () => {
  await remote.stop();
  await portal.stop();
  await service.stop();
});

// promise e3.makes.slave
test('decode and watch name the option that chooses the slave, and --slave chooses it', async () => {
  const image = randomBytes(64);
  await remote.write('car.mmf', make.seal('Polo 6', image));
  const inFolder = (name: string) => join(remote.folder, name);
  const words = ['decode', inFolder('car.mmf'), '--family', 'flex', '-o', inFolder('out')];
  const refused = await remote.run(...words);
  expect(refused.code).not.toBe(0);
  expect(refused.complaint).toContain('Pass it with --slave');

  const watch = remote.watch('--family', 'flex');
  const { decode } = await remote.waitFor('car', 'decode-failed');
  expect(decode.error).toContain('Pass it with --slave');
  watch.child.kill('SIGTERM');
  await watch.ended;

  const wrong = await remote.run(...words, '--slave', 'Golf 9');
  expect(wrong.complaint).toContain('Golf 9 is not a slave');

  const chosen = await remote.run(...words, '--slave', 'Polo 6');
  expect([chosen.code, chosen.complaint]).toEqual([0, '']);
  const file = /^(?!slot)\w+\t(.+)$/m.exec(chosen.out)?.[1] ?? '';
  expect(image.equals(await readFile(file))).toBe(true);

  const second = remote.watch('--family', 'flex', '--slave', 'Polo 6');
  await remote.write('van.mmf', make.seal('Polo 6', image));
  await remote.waitFor('van', 'decoded');
  // the read that was refused without a slave
  await remote.waitFor('car', 'decoded');
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
}, 120_000);
