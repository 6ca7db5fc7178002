/**
 * Clients that hang up in the middle of a download: the portal closes their files, and continues to serve other
 * clients.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startJourney } from '../journeys/workflow-setup.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';

const { portal, anna, slave } = await startJourney('kessv2');
const folder = fileURLToPath(portal.platform.config.storageUrl);
/** More than the buffers of both sides can contain. */
const image = randomBytes(12 * 2 ** 20);

/** The stored files that this process, which is also the portal's, has open. */
function listOpenFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

test.runIf(existsSync('/proc/self/fd'))(
  'downloads that are cut off leave no file open, and the next one is complete',
  async () => {
    const { decodedFileURL } = await decode(anna, sealImage(slave, 9000, image));
    const url = new URL(decodedFileURL ?? '', portal.url);
    for (let count = 0; count < 10; count += 1) {
      const request = get(url, { agent: false });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      await once(answer, 'readable');
      expect(listOpenFiles()).not.toEqual([]);
      answer.on('error', () => undefined);
      request.on('error', () => undefined);
      answer.destroy();
    }
    await expect.poll(listOpenFiles).toEqual([]);
    const { bytes } = await anna.get(decodedFileURL ?? '');
    expect(Buffer.compare(bytes, image)).toBe(0);
  },
);
