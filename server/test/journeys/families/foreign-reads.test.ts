/** Files that are uploaded as a read but that no slave wrote: the error names what they are, in every family. */
import { randomBytes } from 'node:crypto';
import { protocols } from '@recodery/codec/protocols/protocols';
import { generateImage } from '@recodery/codec/sample-images/images';
import { type ContainerFamily, containerFamilies } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { readPaths } from '../../fixtures/demo-devices.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { errorOf, uploadTo } from './component-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** A ZIP with one file, whose content needs a password. */
function zipWithPassword(): Buffer {
  const local = Buffer.alloc(31);
  const entry = Buffer.alloc(47);
  const end = Buffer.alloc(22);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(1, 6);
  local.writeUInt16LE(1, 26);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(1, 8);
  entry.writeUInt16LE(1, 28);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

const [protocol] = protocols;
if (protocol === undefined) throw new Error('there is no protocol');
const image = generateImage(protocol, 'obd', 1);
/** What clients rely on: a new family states its names here. */
const invalid = {
  kessv2: 'INVALID_FILE',
  ktag: 'INVALID_FILE',
  kess3: 'KESS3_FILE_NOT_RECOGNIZED',
} as const satisfies Record<ContainerFamily, string>;
const archive = {
  kessv2: 'FILE_IS_ZIP_ARCHIVE',
  ktag: 'FILE_IS_ZIP_ARCHIVE',
  kess3: 'KESS3_FILE_IS_ARCHIVE',
} as const satisfies Record<ContainerFamily, string>;
const unrecognized = { names: invalid, cause: 'FILE_NOT_RECOGNIZED' };
const files = {
  'web-page': [Buffer.from(`<!DOCTYPE html><p>${'x'.repeat(2000)}`), unrecognized],
  text: [Buffer.from(':10010000214601360121470136007EFE09D2190140\n:00000001FF\n'), unrecognized],
  image: [image, unrecognized],
  dense: [randomBytes(65_536), unrecognized],
  'archive-with-password': [zipWithPassword(), { names: archive, cause: 'FILE_IS_ARCHIVE_ZIP' }],
} as const;

describe.each(containerFamilies)('%s', (family) => {
  // promise 5.recognition.foreign
  test.each(Object.keys(files) as (keyof typeof files)[])(
    'reports that a file is %s',
    async (kind) => {
      const [bytes, { names, cause }] = files[kind];
      const error = await errorOf(anna, await uploadTo(anna, readPaths[family], bytes, 'read.bin'));
      expect(error).toMatchObject({ errorName: names[family], cause, detail: kind });
    },
  );
});
