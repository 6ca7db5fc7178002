/** The explanation of a file that does not fit, for each kind of misfit. */
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { MisfitPanel } from '../../src/features/recoding/encode/misfit/misfit-panel.tsx';
import { RepairReason } from '../../src/features/misfit/repaired.tsx';
import { MisfitPicture } from '../../src/features/misfit/misfit-picture.tsx';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { freshInputs } from '../../src/features/recoding/inputs.ts';
import { Opened } from '../opened.tsx';
import { bench } from '../made/reads.ts';
import { Part, State } from '../state.tsx';

const size = 0x80000;
const guid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const offer = { guid, name: 'stage1.bin', size, sha256: '9f86d081'.repeat(8) } as const;
const lossless = { ...offer, isLossless: true };
const mixed = { ...offer, isLossless: false };
const half = size / 2;
const extra = { offset: 0, length: 0x10000, fill: 0xff, start: 'ff'.repeat(32) };

type Given = Partial<Omit<Diagnosis, 'details'>> &
  Pick<Diagnosis, 'kind'> & { readonly details?: Partial<Diagnosis['details']> };

/** A diagnosis of each kind, with the facts that it has. */
const given: Readonly<Record<string, Given>> = {
  empty: { kind: 'empty', details: { size: 0 } },
  sealed: { kind: 'sealed' },
  archive: { kind: 'archive', repair: lossless },
  'archive without the image': { kind: 'archive' },
  'archive with a password': { kind: 'archive-with-password' },
  'intel hex': { kind: 'intel-hex', details: { size: 1_443_000 }, repair: lossless },
  'damaged line': {
    kind: 'intel-hex',
    details: { fault: { line: 812, problem: 'checksum', otherLine: null } },
  },
  's-record without a part': {
    kind: 's-record',
    details: { missing: [{ offset: 0, length: half }] },
    repair: mixed,
  },
  'hex dump': { kind: 'hex-dump', details: { filled: [{ offset: 0, length: 0x8000 }] } },
  'c array': { kind: 'c-array' },
  'base64 of another component': {
    kind: 'base64',
    details: { component: 'eeprom' },
    repair: lossless,
  },
  'web page': { kind: 'web-page' },
  xml: { kind: 'xml' },
  text: { kind: 'text' },
  pointer: { kind: 'pointer' },
  erased: { kind: 'erased', details: { fill: 0xff } },
  'line ends': { kind: 'line-ends', details: { isReversible: true }, repair: lossless },
  'utf-8': { kind: 'utf-8', details: { isReversible: false } },
  repeated: {
    kind: 'repeated',
    details: {
      size: 2 * size,
      copies: { count: 2, changed: [] },
      pieces: [
        { from: 0, to: 0, length: size },
        { from: size, to: 0, length: size },
      ],
    },
    repair: lossless,
  },
  pieces: {
    kind: 'pieces',
    details: {
      pieces: [
        { from: 0, to: half, length: half },
        { from: half, to: 0, length: half },
      ],
    },
    repair: lossless,
  },
  'lost byte': {
    kind: 'pieces',
    details: {
      size: size - 1,
      lost: 1,
      pieces: [
        { from: 0, to: 0, length: half },
        { from: half, to: half + 1, length: half - 1 },
      ],
      missing: [{ offset: half, length: 1 }],
    },
    repair: mixed,
  },
  swapped: { kind: 'swapped', details: { transformation: 'pairs' }, repair: lossless },
  inverted: { kind: 'inverted', details: { transformation: 'inverted' }, repair: lossless },
  inside: {
    kind: 'inside',
    details: {
      size: size + 0x10000,
      pieces: [{ from: 0x10000, to: 0, length: size }],
      outside: [extra],
      transformation: 'fours',
    },
    repair: lossless,
  },
  partial: {
    kind: 'partial',
    details: {
      size: size - 0x10000,
      pieces: [{ from: 0, to: 0x10000, length: size - 0x10000 }],
      missing: [{ offset: 0, length: 0x10000 }],
    },
    repair: mixed,
  },
  shifted: {
    kind: 'shifted',
    details: {
      shift: 0x10000,
      pieces: [{ from: 0x10000, to: 0, length: size - 0x10000 }],
      outside: [extra],
      missing: [{ offset: size - 0x10000, length: 0x10000 }],
    },
    repair: mixed,
  },
  'every second byte': { kind: 'every-second-byte', details: { size: half, lane: 'even' } },
  'other component': {
    kind: 'other-component',
    details: { component: 'eeprom' },
    repair: lossless,
  },
  'erased part': {
    kind: 'erased-part',
    details: { missing: [{ offset: half, length: 0x20000 }] },
  },
  dense: { kind: 'dense' },
  'other software': {
    kind: 'other-software',
    details: {
      identification: {
        file: { software: '1037366001', hardware: '0261207001' },
        read: { software: '1037366002', hardware: '0261207001' },
      },
    },
  },
  unrelated: { kind: 'unrelated' },
};

function diagnosisOf({ kind, details, repair = null }: Given): Diagnosis {
  return { kind, details: { size, imageSize: size, ...details }, repair };
}

const read = bench(kess3);
const flow = {
  at: 'decoded',
  read,
  encode: { at: 'preparing', inputs: freshInputs(read) },
} as const;

export function MisfitParts() {
  const { inside } = given;
  return (
    <>
      <Part file="features/recoding/encode/misfit/misfit-panel.tsx">
        {Object.entries(given).map(([name, one]) => (
          <State key={name} name={name}>
            <Opened page={kess3} flow={flow}>
              <MisfitPanel diagnosis={diagnosisOf(one)} part="Flash" />
            </Opened>
          </State>
        ))}
      </Part>
      <Part file="features/misfit/repaired.tsx">
        {inside && (
          <State name="inside">
            <RepairReason repaired={{ fileGUID: guid, ...diagnosisOf(inside) }} />
          </State>
        )}
      </Part>
      <Part file="features/misfit/misfit-picture.tsx">
        {inside && (
          <State name="inside">
            <MisfitPicture diagnosis={diagnosisOf(inside)} />
          </State>
        )}
      </Part>
    </>
  );
}
