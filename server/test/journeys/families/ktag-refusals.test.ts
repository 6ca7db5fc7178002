/** Everything that K-TAG refuses: damaged backups, wrong images, missing rights; each with its own error name. */
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { decodeResult } from '@recodery/contract/families/ktag';
import { describe, expect, test } from 'vitest';
import { damages, firstOfEachCode } from '../../../../codec/test/damaged/damages.ts';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import {
  errorOf,
  type Images,
  imagesOf,
  keep,
  refuse,
  resultOf,
  seal,
  uploadTo,
} from './component-workflow.ts';
import { protocolOf, started } from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const path = '/api/ktag/upload-read-backup';

const { portal, anna, slave } = await startJourney('ktag', { RECODERY_PARALLEL_OPERATIONS: '200' });

/** The result of an upload: the error that the page receives, and the code in the row. */
async function failureOf(bytes: Uint8Array, query = '') {
  const answer = await uploadTo(anna, path + query, bytes);
  const error = await errorOf(anna, answer);
  const row = portal.platform.db.selectFrom('operation').select('internal_code');
  const { guid } = started(answer);
  const { internal_code: code } = await row.where('guid', '=', guid).executeTakeFirstOrThrow();
  return { name: error?.errorName, code, detail: error?.detail ?? null };
}

function sealBench(protocolId: number, images: Images, by = slave): Uint8Array {
  return seal(by, { protocolId, mode: 'bootbench', images });
}

async function decode(protocolId: number, images: Images): Promise<string> {
  const answer = await uploadTo(anna, path, sealBench(protocolId, images));
  return decodeResult.parse(await resultOf(anna, answer)).ktagSlotGUID;
}

const small = () => imagesOf(2002, 1, { flash: undefined, eeprom: undefined });

describe('a read backup', () => {
  const own = damages.flatMap(({ names: [, name], ...damage }) =>
    name === null ? [] : [{ ...damage, errorName: name }],
  );
  const expectFailure = async ({ make, code, errorName }: (typeof own)[number]) => {
    expect(await failureOf(make(slave))).toMatchObject({ name: errorName, code });
  };
  // in each run, `codec/test/damaged/damaged.test.ts` makes all of them, and `kessv2-refusals.test.ts` uploads them
  const [first, others] = firstOfEachCode(own);
  // promise c.checks.damaged-ktag
  test.each(first)('$name fails with $errorName', (damage) => expectFailure(damage));
  test.each(others)('$name fails with $errorName', { tags: 'release' }, (damage) =>
    expectFailure(damage),
  );

  // promise d7.results.read-checksums
  test('with wrong checksums fails with CHECKSUM_ERROR, which names the rules', async () => {
    const images = new Map(small());
    const flash = images.get('flash') ?? new Uint8Array();
    images.set('flash', tuneImage(protocolOf(2002), 'flash', flash, 3));
    const failure = await failureOf(sealBench(2002, images));
    expect(failure).toMatchObject({ name: 'CHECKSUM_ERROR', code: 'READ_CHECKSUM_ERROR' });
    expect(failure.detail).toMatch(/[A-Z]/);
  });

  test('of an ECU that the protocol does not know fails with ECU_NOT_RECOGNIZED', async () => {
    const images = new Map(small());
    images.set('flash', new Uint8Array(images.get('flash')?.length ?? 0));
    expect(await failureOf(sealBench(2002, images))).toMatchObject({ name: 'ECU_NOT_RECOGNIZED' });
  });

  test('without a component that its protocol requires fails with WRONG_IMPORT', async () => {
    const images = new Map(small());
    images.delete('eeprom');
    expect(await failureOf(sealBench(2002, images))).toEqual({
      name: 'WRONG_IMPORT',
      code: 'COMPONENT_NOT_IN_PROTOCOL',
      detail: 'eeprom',
    });
  });

  test('of a slave in another group of the caller’s names only that group if another was chosen', async () => {
    await applyDirectory(portal.platform, {
      organisations: [
        {
          customerCode: 'CC-1001',
          name: 'Officina Demo',
          groupCodes: [
            {
              code: 'G-12',
              masters: [{ family: 'ktag', serial: 'KTG-M-12', slaves: [{ serial: 'KTG-12' }] }],
            },
          ],
        },
      ],
    });
    const bytes = sealBench(
      9000,
      imagesOf(9000, 2, { flash: 1024 }),
      await portal.getSlave('ktag', 'KTG-12'),
    );
    const failed = await errorOf(anna, await uploadTo(anna, `${path}?groupCode=G-10`, bytes));
    const fault = { errorName: 'WRONG_MASTER_CODE', cause: 'TOOL_NOT_FOUND', detail: 'G-12' };
    expect(failed).toMatchObject(fault);
    for (const query of ['?groupCode=G-12', ''])
      expect(await resultOf(anna, await uploadTo(anna, `${path}${query}`, bytes))).toBeTruthy();
  });
});

describe('a modified component', () => {
  // promise 5.files.wrong-protocol
  test.each([
    ['of another size', () => new Uint8Array(1000), 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT'],
    ['of another ECU', () => new Uint8Array(0x80000), 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT'],
    ['that is still sealed', () => sealBench(2002, small()), 'INVALID_FILE'],
    ['in an archive', () => Buffer.from('PK\u0003\u0004 and so on'), 'FILE_IS_ZIP_ARCHIVE'],
    ['that is empty', () => new Uint8Array(), 'FILE_LOAD_ERROR'],
    [
      'that is another component',
      () => generateImage(protocolOf(2002), 'eeprom', 1),
      'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
    ],
  ])('%s is refused when it is uploaded', async (_, make, code) => {
    const slot = await decode(2002, small());
    const to = `/api/ktag/upload-modified-component-file/${slot}/flash`;
    expect(await refuse(anna, to, make())).toEqual([400, code]);
  });

  test('is refused if its protocol does not have it', async () => {
    const slot = await decode(2002, small());
    const to = `/api/ktag/upload-modified-component-file/${slot}/micro`;
    expect(await refuse(anna, to, new Uint8Array(1024))).toEqual([400, 'WRONG_IMPORT']);
  });

  test('cannot be used for another component, but still after it has been replaced', async () => {
    const slot = await decode(9000, imagesOf(9000, 3, { flash: 1024, eeprom: 1024 }));
    const to = `/api/ktag/upload-modified-component-file/${slot}/flash`;
    const first = await keep(anna, to, new Uint8Array(1024));
    const second = await keep(anna, to, new Uint8Array(1024));
    const encodeWith = (guids: object) =>
      anna.post('/api/ktag/encode-backup', { ktagFileSlotGUID: slot, ...guids });
    const refused = await encodeWith({ EEPROMFileGUID: second.fileGUID });
    expect([refused.status, refused.text]).toEqual([404, 'NOT_FOUND']);
    expect((await encodeWith({ FlashFileGUID: first.fileGUID })).status).toBe(202);
  });
});

describe('a caller without the right to K-TAG', () => {
  // promise d4.session.no-access
  test.each([
    ['nora@demo.test', 'USER_NO_RIGHTS'],
    ['otto@demo.test', 'USER_NOT_AUTHORIZED'],
    ['luca@demo.test', 'USER_NOT_AUTHORIZED'],
  ])('%s is refused at the entry point and at the upload', async (email, code) => {
    const client = await portal.signIn(email);
    const entry = await client.get('/api/ktag');
    expect([entry.status, entry.text]).toEqual([403, code]);
    const upload = await uploadTo(client, path, new Uint8Array(100));
    expect([upload.status, upload.text]).toEqual([403, code]);
  });
});
