/** Containers of every kind: recognized, inspected, opened by every workflow, and sealed again. */
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import {
  componentIds,
  familyIds,
  kindIds,
  nameOf,
  tableNameOf,
} from '@recodery/codec/container/container';
import { type RawHeader, readRawHeader } from '@recodery/codec/container/header';
import {
  type OpenedComponent,
  openComponents,
  sealContainer,
} from '@recodery/codec/container/sealing';
import type { Decoded } from '@recodery/codec/recoding/family-codec';
import { getCodec, labelRead } from '@recodery/codec/families/registry';
import { readPreamble } from '@recodery/codec/container/preamble';
import { acceptEncoded, inspect } from '@recodery/codec/simulator/slave';
import { fileKinds, modes } from '@recodery/contract/families/family';
import { recognizeStart } from '@recodery/contract/recognize';
import {
  containerFamilies,
  type ContainerFamily,
  definitionOf,
  type Family,
  type Workflow,
  workflowOf,
  workflowsOf,
} from '@recodery/contract/families/registry';
import { type ForgedField, type Forgery, numberBytes } from '../../../codec/test/forge.ts';
import { noise, otherSalt, slaveOf } from '../../../codec/test/slaves.ts';
import { orRefused } from '../codec-errors.ts';
import { cutFields, inputOf, options, sealInput } from '../plain-container.ts';
import { type FuzzTarget, must, textBytes } from '../target.ts';

const knownFields = 'MCOD SSER PROT MODE RDID COMP PREV NUMB tool time note'.split(' ');
const remarks: ReadonlySet<string> = new Set(['tool', 'time', 'note']);

/** Whether the product would write these bytes: known fields in its order, texts in UTF-8, nothing deflated. */
function isAsWritten(raw: RawHeader): boolean {
  const fields = cutFields(Buffer.from(raw.bytes));
  const places = fields.map(([type]) => knownFields.indexOf(type));
  return (
    raw.preamble.minor === 0 &&
    !places.includes(-1) &&
    isDeepStrictEqual(
      places,
      places.toSorted((one, other) => one - other),
    ) &&
    raw.fields.COMP.every(({ storage }) => storage === 0) &&
    fields.every(([type, value]) => !remarks.has(type) || areTexts(value))
  );
}

function areTexts(value: Buffer): boolean {
  return Buffer.from(new TextDecoder().decode(value)).equals(value);
}

/** Seals an opened container again: it must have the same contents, and the same bytes if the product wrote it. */
function sealAgain(file: Buffer, pairKey: Uint8Array): void {
  const raw = readRawHeader(file, file.length);
  const { family: familyId, kind: kindId, segmentLog2, keyId, fileSalt } = raw.preamble;
  const family = nameOf(familyIds, familyId);
  const kind = nameOf(kindIds, kindId);
  const opened = openComponents(file, raw, pairKey, {});
  const components = opened.flatMap(({ name, bytes, entry: { base, storage } }) =>
    name === null ? [] : [{ name, bytes, base, isDeflated: storage === 1 }],
  );
  const { COMP: _, ...fields } = raw.fields;
  if (family === null || kind === null || components.length < opened.length) return;
  if (
    !cutFields(raw.bytes as Buffer).every(([type, value]) => !remarks.has(type) || areTexts(value))
  )
    return;
  const sealed = sealContainer(
    { family, kind, segmentLog2, keyId, fileSalt, pairKey, fields },
    components,
  ).whole();
  const rawAgain = readRawHeader(sealed, sealed.length);
  const again = openComponents(sealed, rawAgain, pairKey, {});
  must(isDeepStrictEqual(contentsOf(again), contentsOf(opened)), 'sealed again, it differs');
  if (isAsWritten(raw)) must(file.equals(sealed), 'sealed again, its bytes differ');
}

function contentsOf(components: readonly OpenedComponent[]): unknown {
  return components.map(({ name, sha256, entry }) => ({ name, sha256, base: entry.base }));
}

/** Decodes, encodes with one byte changed, and accepts the result as the slave. */
function useRead(workflow: Workflow, family: Family, file: Buffer, skipChecksum: boolean): boolean {
  const codec = getCodec(workflow);
  const slave = slaveOf(family);
  const { pairKey } = slave;
  const decoded = orRefused(() => codec.decode({ file, pairKey, skipChecksum }));
  if (decoded === null) return false;
  const inPlace = { file: Buffer.from(file), pairKey, skipChecksum, mayOverwriteFile: true };
  must(isDeepStrictEqual(plainOf(codec.decode(inPlace)), plainOf(decoded)), 'differs in place');
  const { protocol, mode } = decoded;
  const { id: protocolId, name: protocolName } = protocol;
  const unknown = { customerCode: null, groupCode: null };
  for (const text of Object.values(
    labelRead(workflow, { ...decoded, ...unknown, mode, protocolId, protocolName }),
  ))
    must(text === null || (text.isWellFormed() && !/\p{Cc}/u.test(text)), 'shows no plain text');
  const modified = decoded.components.slice(0, 1).map(({ name, bytes }) => {
    const changed = Buffer.from(bytes);
    changed[0] = (changed[0] ?? 0) ^ 1;
    return { name, bytes: changed };
  });
  const encoded = orRefused(() =>
    codec.encode({
      ...{ file, pairKey, modified, original: null, removed: [], fileSalt: otherSalt, number: 1 },
      ...{ willCorrectCVN: false, willSkipChecksum: true, reencode: modified.length === 0 },
    }),
  );
  if (encoded === null) return true;
  const { masterDeviceSerialNumber: masterSerial, slaveSerialNumber, keyId } = decoded.header;
  const reader = { ...slave, masterSerial, slaveSerial: slaveSerialNumber, keyId };
  const accepted = acceptEncoded({ ...reader, file: encoded.sealed.whole() });
  for (const { name, bytes } of modified) {
    const written = accepted.components.find((one) => one.name === name)?.bytes ?? Buffer.alloc(0);
    must(bytes.equals(written), 'the slave accepts other bytes than were encoded');
  }
  return true;
}

function plainOf(decoded: Decoded): unknown {
  return { ...decoded, components: decoded.components.map(({ name, sha256 }) => [name, sha256]) };
}

function run(input: Uint8Array): void {
  const file = sealInput(input);
  const skipChecksum = ((input[0] ?? 0) & options.skipChecksum) !== 0;
  const family = nameOf(familyIds, file[10] ?? 0) ?? 'kessv2';
  const { pairKey } = slaveOf(family);
  const start = file.subarray(0, 64);
  recognizeStart(start);
  const preamble = readPreamble(start, file.length);
  const outside = inspect(file, null);
  if ('internalCode' in preamble)
    must(
      outside.outcome === preamble.internalCode,
      'its preamble and its header are refused with other errors',
    );
  const inside = inspect(file, pairKey);
  if (inside.outcome === 'OK') {
    must(outside.outcome === 'OK', 'opened, although its header is refused');
    sealAgain(file, pairKey);
  }
  let isUsed = orRefused(() => acceptEncoded({ ...slaveOf(family), file })) !== null;
  for (const workflow of workflowsOf(family))
    isUsed = useRead(workflow, family, file, skipChecksum) || isUsed;
  // The slave does not read INFO.
  const isOpened = inside.outcome === 'OK' || inside.outcome === 'INFO_ERROR';
  must(!isUsed || isOpened, 'used, although inspecting it fails');
}

const image = noise(1024);
const zeros = Buffer.alloc(1500);
const packedZeros = deflateRawSync(zeros);
const bench: NonNullable<Forgery['components']> = [
  { type: 1, bytes: image },
  { type: 2, bytes: zeros, storage: 1, packed: packedZeros },
];
const answer = (usual: ForgedField[]): readonly ForgedField[] => [
  ...usual,
  ['PREV', Buffer.alloc(32, 1)],
  ['NUMB', numberBytes(1, 4)],
];
const remarked = (usual: ForgedField[]): readonly ForgedField[] => [
  ...usual,
  ['tool', Buffer.from('KESS3 2.1')],
  ['time', Buffer.from('2026-01-01T00:00:00Z')],
  ['note', Buffer.from('ü')],
];
/** As large as protocol 1001 requires, and short when deflated. */
const large = Buffer.alloc(0x80000, 0xff);

/** A read of each mode of a family, of each kind that its pages open. */
function readsOf(family: ContainerFamily): readonly Forgery[] {
  const kinds = workflowsOf(family).map((one) => fileKinds.indexOf(workflowOf(one).readKind) + 1);
  return modes.flatMap((mode, index) => {
    const names = definitionOf(family).modes[mode];
    if (names === undefined) return [];
    const components = names.map((name) => ({
      type: componentIds[tableNameOf(name)],
      bytes: image,
    }));
    return kinds.map((kind) => ({ family, kind, mode: index + 1, components }));
  });
}

const forgeries: readonly Forgery[] = [
  { components: [{ type: 6, bytes: image }], fields: remarked },
  { family: 'kess3', components: [{ type: 6, bytes: zeros, storage: 1, packed: packedZeros }] },
  { family: 'ktag', components: bench },
  { family: 'kess3', mode: 2, components: bench },
  { family: 'kess3', kind: 5, mode: 2, components: bench, fields: answer },
  { family: 'kessv2', kind: 3, components: [{ type: 6, bytes: image }], fields: answer },
  { family: 'kess3', kind: 3, mode: 2, components: bench, fields: answer },
  { family: 'ktag', kind: 4, components: bench, fields: answer },
  { protocolId: 1002, components: [] },
  {
    protocolId: 1001,
    components: [{ type: 6, bytes: large, storage: 1, packed: deflateRawSync(large) }],
  },
  { components: [{ type: 6, bytes: noise(5000) }], segmentLog2: 12 },
];

/** See the file's first comment. */
export const target: FuzzTarget = {
  longest: 12 * 1024,
  seeds: () => [
    ...forgeries.map((forgery) => inputOf(forgery)),
    ...containerFamilies.flatMap(readsOf).map((forgery) => inputOf(forgery)),
    inputOf(forgeries[2] ?? {}, options.isFile),
    inputOf({ infoBytes: null }, options.isFile),
  ],
  dictionary: [
    ...textBytes(knownFields),
    ...textBytes([
      '{"vin":1}',
      '{"hardware":"HW-1","software":null}',
      '[',
      'PK\u0003\u0004',
      'xxxx',
    ]),
    ...[1001, 1002, 1003, 1004, 2001, 3001, 3003, 9000].map((id) => numberBytes(id, 4)),
    ...Object.values(componentIds).map((id) => numberBytes(id, 1)),
    packedZeros,
    Buffer.from('89544643efbfbd', 'hex'),
  ],
  run,
};
