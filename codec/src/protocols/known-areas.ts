/** What a protocol defines about the bytes of an image: which are calibration, code, checksum fields and so on. */

import { writePlaces } from '../checksum/judge.ts';
import { totalLength } from '../checksum/ranges.ts';
import type { ChecksumRule, Range } from '../checksum/scheme.ts';
import type { Span } from '../compare.ts';
import { identBytes } from './parts.ts';
import type { AreaKind, ComponentSpec } from './shape.ts';

/**
 * The kind of a byte. If a byte is of several kinds, the first in this order counts. `checksum` are the fields that
 * Recodery writes: checksums, and the compensation bytes of the CVN. `data` are constants and counters.
 */
export const knownKinds = [
  'checksum',
  'identification',
  'protected',
  'calibration',
  'code',
  'data',
] as const;
export type KnownKind = (typeof knownKinds)[number];

/** A part of an image, in bytes, and its kind. */
export interface KnownArea extends Span {
  kind: KnownKind;
}

const kindOf: Readonly<Record<AreaKind, KnownKind>> = {
  vectors: 'code',
  code: 'code',
  constants: 'data',
  calibration: 'calibration',
  counters: 'data',
};

interface Layer extends Range {
  readonly kind: KnownKind;
}

/** The compensation bytes of a CVN. */
const compensationBytes = 4;
/** The lengths of digests. */
const digestBytes = { 'sha-1': 20, 'sha-256': 32, 'sha-384': 48, 'sha-512': 64 } as const;

/** The fields of a rule; none for a copy, which has the kinds of what it copies. */
function fieldsOf(rule: ChecksumRule): readonly Range[] {
  const { algorithm } = rule;
  switch (algorithm.kind) {
    case 'copy':
      return [];
    case 'digest':
      return writePlaces(rule, digestBytes[algorithm.name]);
    case 'signature':
      return writePlaces(rule, algorithm.length);
    default:
      return writePlaces(rule, 0);
  }
}

function layersOf({ checksums = [], ident, cvn, protectedRanges = [], areas = [] }: ComponentSpec) {
  const all = (kind: KnownKind, ranges: readonly Range[]): Layer[] =>
    ranges.map(({ at, length }) => ({ kind, at, length }));
  return [
    ...all('checksum', checksums.flatMap(fieldsOf)),
    ...all('checksum', cvn ? [{ at: cvn.compensationAt, length: compensationBytes }] : []),
    ...all('identification', ident ? [{ at: ident.marker.at, length: identBytes }] : []),
    ...all('protected', protectedRanges),
    ...areas.flatMap(({ kind, ...range }) => all(kindOf[kind], [range])),
  ];
}

/** The layers of the second copies that a protocol's image contains. */
function copiesOf({ checksums = [] }: ComponentSpec, layers: readonly Layer[]): readonly Layer[] {
  return checksums.flatMap(({ algorithm, ranges, result }) => {
    if (algorithm.kind !== 'copy' || result.kind !== 'store-bytes' || 'table' in ranges) return [];
    const [source] = ranges;
    if (source === undefined || totalLength(ranges) !== source.length) return [];
    const end = source.at + source.length;
    return layers.flatMap(({ kind, ...layer }) => {
      const at = Math.max(layer.at, source.at);
      const length = Math.min(layer.at + layer.length, end) - at;
      return length > 0 ? [{ kind, at: at - source.at + result.at, length }] : [];
    });
  });
}

/**
 * The known areas of a component's image of `size` bytes, in ascending order, without overlaps. Bytes that the protocol
 * does not describe are in none.
 */
export function knownAreas(spec: ComponentSpec, size: number): KnownArea[] {
  const own = layersOf(spec);
  const layers = [...own, ...copiesOf(spec, own)];
  const edges = layers.flatMap(({ at, length }) => [at, at + length]);
  const cuts = [...new Set(edges.map((edge) => Math.min(edge, size)))].toSorted((a, b) => a - b);
  const found: KnownArea[] = [];
  for (const [index, offset] of cuts.entries()) {
    const length = (cuts[index + 1] ?? offset) - offset;
    const here = layers.filter(({ at, length: long }) => at <= offset && offset < at + long);
    const kind = knownKinds.find((one) => here.some((layer) => layer.kind === one));
    if (kind === undefined || length === 0) continue;
    const last = found.at(-1);
    if (last?.kind === kind && last.offset + last.length === offset) last.length += length;
    else found.push({ offset, length, kind });
  }
  return found;
}
