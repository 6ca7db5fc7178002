/** Input of requests: what is refused before a handler sees it. */
import { requestAccessToken } from '@recodery/contract/features/clients';
import { portalRoutes } from '@recodery/contract/family-routes/registry';
import { kess3ComponentTypes } from '@recodery/contract/families/kess3';
import { ktagComponentTypes } from '@recodery/contract/families/ktag';
import { Refusal } from '@recodery/contract/refusal';
import { expect, test } from 'vitest';
import { readBody, readParams } from '../../src/http/requests/read-input.ts';

const kess3Images = ['mod', 'ori', ...kess3ComponentTypes];
const { uploadModifiedFile } = portalRoutes.kess3;
const { uploadModifiedComponentFile } = portalRoutes.ktag;

const guid = '01900000-0000-7000-8000-000000000001';

function refusalOf(read: () => unknown): Refusal {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('a body with more members than a call can have arguments is refused as any other', () => {
  const body: unknown = JSON.parse(`[${'0,'.repeat(200_000)}0]`);
  expect(() => readBody(requestAccessToken, body)).toThrow('BAD_REQUEST');
});

// promise d6.errors.fields
test('a refused body names each field that is wrong, and repeats no value', () => {
  const { code, details } = refusalOf(() =>
    readBody(requestAccessToken, { secretKey: ['hidden-word'] }),
  );
  expect(code).toBe('BAD_REQUEST');
  expect(details).toEqual({
    fields: [
      {
        field: 'clientApplicationGUID',
        message: 'Invalid input: expected string, received undefined',
      },
      { field: 'secretKey', message: 'Invalid input: expected string, received array' },
    ],
  });
});

test('components are accepted in any case, and their names are listed in the refusal of another', () => {
  for (const name of kess3Images) {
    for (const component of [name, name.toLowerCase(), name.toUpperCase()])
      expect(readParams(uploadModifiedFile, { slot: guid, component })).toMatchObject({
        component: name,
      });
  }
  for (const name of ktagComponentTypes) {
    const params = { slotGUID: guid, componentType: name.toUpperCase() };
    expect(readParams(uploadModifiedComponentFile, params)).toMatchObject({ componentType: name });
  }
  const refused = refusalOf(() => readParams(uploadModifiedFile, { slot: guid, component: 'rom' }));
  expect(refused.code).toBe('NOT_FOUND');
  expect(refused.details).toEqual({
    fields: [
      {
        field: 'component',
        message: `Invalid option: expected one of ${kess3Images.map((name) => `"${name}"`).join('|')}`,
      },
    ],
  });
});
