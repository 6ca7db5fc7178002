/** The order of checks: if a file has two faults, the earlier check determines the error. */

import { describe, expect, test } from 'vitest';
import { CodecError } from '../../src/errors.ts';
import type { InternalCode } from '../../src/errors.ts';
import { generateImage } from '../../src/sample-images/images.ts';
import { kessv2 } from '../../src/families/kessv2.ts';
import { findProtocol } from '../../src/protocols/protocols.ts';
import type { Protocol } from '../../src/protocols/shape.ts';
import { forge, tableOf } from '../forge.ts';
import type { ForgedComponent, ForgedField, Forgery } from '../forge.ts';
import { slaveOf } from '../slaves.ts';

function getProtocol(id: number): Protocol {
  const protocol = findProtocol(id);
  if (protocol === null) {
    throw new Error(`protocol ${id} is not here`);
  }
  return protocol;
}

const image = generateImage(getProtocol(1001), 'obd', 1);
const rightComponent: ForgedComponent = { type: 6, bytes: image };

/** A draft of a file; each fault damages a different part of it. */
interface Draft {
  forgery: Forgery;
  component: ForgedComponent;
  fields: ((usual: ForgedField[]) => ForgedField[])[];
  after: ((file: Buffer) => Buffer)[];
}

interface Step {
  code: InternalCode;
  spoil: (draft: Draft) => void;
}

const mebibyte = 1024n * 1024n;

function changeByte(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
}

/** One fault for each check, in the order of the checks. */
const steps: readonly Step[] = [
  { code: 'UNSUPPORTED_VERSION', spoil: ({ forgery }) => (forgery.major = 2) },
  { code: 'BAD_HEADER', spoil: ({ forgery }) => (forgery.headerLength = 40) },
  { code: 'UNSUPPORTED_SUITE', spoil: ({ forgery }) => (forgery.suite = 9) },
  {
    code: 'UNSUPPORTED_CRITICAL_FIELD',
    spoil: ({ fields }) => fields.push((usual) => [...usual, ['XNEW', Buffer.alloc(1)]]),
  },
  { code: 'WRONG_FAMILY_KESS3', spoil: ({ forgery }) => (forgery.familyByte = 3) },
  { code: 'WRONG_FILE_KIND', spoil: ({ forgery }) => (forgery.kind = 2) },
  {
    code: 'FILE_TOO_LARGE',
    spoil: ({ forgery }) =>
      (forgery.table = tableOf([{ ...rightComponent, size: 17n * mebibyte }])),
  },
  { code: 'FILE_TRUNCATED', spoil: ({ after }) => after.push((file) => file.subarray(0, -1)) },
  { code: 'AUTHENTICATION_FAILED', spoil: ({ forgery }) => (forgery.isMacWrong = true) },
  { code: 'PROTOCOL_NOT_FOUND', spoil: ({ forgery }) => (forgery.protocolId = 2001) },
  { code: 'BAD_HEADER', spoil: ({ component }) => (component.flags = 1) },
  { code: 'COMPONENT_NOT_IN_PROTOCOL', spoil: ({ component }) => (component.type = 2) },
  {
    code: 'FILE_CORRUPTED',
    spoil: ({ after }) =>
      after.push((file) => {
        file[file.length - 1] = (file.at(-1) ?? 0) ^ 1;
        return file;
      }),
  },
  { code: 'COMPONENT_DIGEST_MISMATCH', spoil: ({ component }) => (component.crc = 7) },
  { code: 'INFO_ERROR', spoil: ({ forgery }) => (forgery.infoBytes = Buffer.from('?')) },
  {
    code: 'ECU_NOT_RECOGNIZED',
    spoil: ({ component }) => (component.bytes = changeByte(component.bytes, 0x60000)),
  },
  {
    code: 'READ_CHECKSUM_ERROR',
    spoil: ({ component }) => (component.bytes = changeByte(component.bytes, 0x50000)),
  },
];

function codeOf(faults: readonly Step[]): string {
  const draft: Draft = {
    forgery: { protocolId: 1001 },
    component: { ...rightComponent },
    fields: [],
    after: [],
  };
  for (const { spoil } of faults) {
    spoil(draft);
  }
  const fields = (usual: ForgedField[]): ForgedField[] =>
    draft.fields.reduce((list, change) => change(list), usual);
  const sealed = forge({ ...draft.forgery, components: [draft.component], fields });
  const file = draft.after.reduce((bytes, change) => change(bytes), sealed);
  try {
    const { pairKey } = slaveOf('kessv2');
    kessv2.decode({ file, pairKey, skipChecksum: false });
    return 'decoded';
  } catch (error) {
    if (error instanceof CodecError) {
      return error.internalCode;
    }
    throw error;
  }
}

describe('the order of checks', () => {
  test('decodes a file without faults', () => {
    expect(codeOf([])).toBe('decoded');
  });

  test.each(steps)('reports $code alone', (step) => {
    expect(codeOf([step])).toBe(step.code);
  });

  const pairs = steps.slice(1).map((later, index) => {
    const earlier = steps[index] ?? later;
    return { title: `${earlier.code} comes before ${later.code}`, earlier, later };
  });
  test.each(pairs)('$title', ({ earlier, later }) => {
    expect(codeOf([later, earlier])).toBe(earlier.code);
  });

  // promise c.checks.order
  test('reports each of all faults once the earlier ones are fixed', () => {
    for (let first = 0; first < steps.length; first += 1) {
      const left = steps.slice(first);
      expect(codeOf(left)).toBe(left[0]?.code);
    }
  });
});
