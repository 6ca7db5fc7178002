/** `recodery remote watch` with the files of each make: decoded, modified and encoded like those of other families. */
import { randomBytes } from 'node:crypto';
import { definitionOf } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allMakes, makes } from '../../src/demo/doubles/makes.ts';
import { type FakeService, startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { openRemote, type RemoteCommand } from './remote-command.ts';

/**
 * `npm run release-check` sets the variable. In each run, one make: the command treats all families alike, and
 * `engine/makes/makes.test.ts` decodes and encodes with each make.
 */
const tried = process.env['RECODERY_LONG_TESTS'] === 'on' ? allMakes : [makes.autotuner];

describe.each(tried)('$family:', (make) => {
  const { readFileExtension, encodedFileExtension } = definitionOf(make.family);
  let service: FakeService;
  let portal: RunningPortal;
  let remote: RemoteCommand;

  beforeAll(async () => {
    service = await startFakeService(make);
    portal = await startTestPortal();
    await addMake(portal.platform, service);
    remote = await openRemote(portal.url, await portal.addClient());
  });
  afterAll(async () => {
    await remote.stop();
    await portal.stop();
    await service.stop();
  });

  // promise e3.makes.workflow
  test('watch decodes a read and encodes its modified file', async () => {
    const image = randomBytes(512);
    remote.watch('--family', make.family);
    await remote.write(`car${readFileExtension}`, make.seal('Golf', image));
    await remote.waitFor('car', 'decoded');
    expect(Buffer.compare(await remote.read('car.decoded.bin'), image)).toBe(0);
    const modified = Buffer.from(image.toReversed());
    await remote.write('car.mod.bin', modified);
    const { encodes } = await remote.waitFor('car', 'encoded');
    const name = encodes[0]?.file?.file ?? '';
    expect(name.endsWith(encodedFileExtension)).toBe(true);
    expect(make.open(await remote.read(name))).toEqual({ slave: 'Golf', image: modified });
  });
});
