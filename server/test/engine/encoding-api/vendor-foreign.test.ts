/** Files that no slave wrote, uploaded to the master of a vendor whose engine refuses them: the error names what they are. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateEcuImage } from '../../../../codec/samples/ecu-images.ts';
import { type Vendor, vendors } from '../all-vendors.ts';

const page = Buffer.from(`<!DOCTYPE html><title>Sign in</title>${'<p>'.repeat(300)}`);

describe.each(vendors)('a file that %s refuses', (name, start) => {
  // one of each module of makes' services, and the Encoding API
  const ofEach = name === 'bflash' || name === 'autoflasher' ? { tags: 'release' } : {};
  let vendor: Vendor;
  beforeAll(async () => {
    vendor = await start();
  });
  afterAll(() => vendor.stop());

  // promise 5.recognition.foreign
  test('is named if it is a web page, or the image of a known control unit', ofEach, async () => {
    const { decode } = vendor;
    const cause = 'FILE_NOT_RECOGNIZED';
    expect((await decode(page)).error).toMatchObject({ cause, detail: 'web-page' });
    const { image } = generateEcuImage('bosch-me7', 3);
    expect((await decode(image)).error).toMatchObject({ cause, detail: 'image' });
  });

  test('is refused in the words of the vendor if it may be a read', ofEach, async () => {
    const { decode } = vendor;
    for (const bytes of [randomBytes(4096), Buffer.from('a text that may be sealed')])
      expect((await decode(bytes)).error).toMatchObject({ cause: 'ENGINE_REFUSED' });
  });
});
