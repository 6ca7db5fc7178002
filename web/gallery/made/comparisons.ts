/** Comparisons of invented images, and the bytes around their changes. */
import type { AreaKind, ChangedRegion, Comparison } from '@recodery/contract/features/comparison';
import { type Pair, pageSize, windowBytes } from '../../src/features/change-map/change-data.ts';
import { type Answer, guidOf } from './answers.ts';

export const pair: Pair = {
  before: { fileGUID: guidOf(1), name: 'KESSv2_KV2-000007_1001_20261121-095833.bin' },
  after: { fileGUID: guidOf(2), name: 'stage1 with a longer name than fits_in one line.bin' },
};

const areas: Comparison['areas'] = [
  { offset: 0, length: 0x10000, kind: 'protected' },
  { offset: 0x10000, length: 0x40000, kind: 'code' },
  { offset: 0x50000, length: 0xfff0, kind: 'calibration' },
  { offset: 0x5fff0, length: 4, kind: 'checksum' },
  { offset: 0x60000, length: 0x100, kind: 'identification' },
  { offset: 0x60100, length: 0x24, kind: 'checksum' },
];

const kindsOf = (offset: number): AreaKind[] =>
  areas.flatMap(({ kind, ...area }) =>
    offset >= area.offset && offset < area.offset + area.length ? [kind] : [],
  );

export interface Invented {
  readonly size: number;
  /** Bytes of the second image, if it is shorter. */
  readonly otherSize?: number;
  /** The positions of the changes, each of `length` bytes. */
  readonly places: readonly number[];
  readonly length?: number;
  /** Changed bytes at each position; all by default. */
  readonly bytes?: number;
  readonly knowsAreas?: boolean;
}

/** A comparison in which a region of `length` bytes changed at each position. */
export function compared({ size, otherSize = size, places, length = 6, ...rest }: Invented) {
  const isKnown = rest.knowsAreas ?? true;
  const changed = rest.bytes ?? length;
  const cellBytes = 2 ** Math.max(4, Math.ceil(Math.log2(size / 2048)));
  const cells = Array.from({ length: Math.ceil(size / cellBytes) }, () => 0);
  const byKind = new Map<AreaKind | null, number>();
  const regions: ChangedRegion[] = places.map((offset) => {
    const kinds = isKnown ? kindsOf(offset) : [];
    const [kind = null] = kinds;
    const cell = Math.floor(offset / cellBytes);
    cells[cell] = (cells[cell] ?? 0) + changed;
    byKind.set(kind, (byKind.get(kind) ?? 0) + changed);
    return { offset, length, bytes: changed, kinds };
  });
  const bytes = places.length * changed;
  const image = { role: 'decoded', size, sha256: '9f86d081884c7d65'.repeat(4) } as const;
  const comparison: Comparison = {
    before: { ...image, ...pair.before },
    after: { ...image, ...pair.after, role: 'modified', size: otherSize },
    ...{ size, bytes, fraction: bytes / size, regionCount: places.length },
    areas: isKnown ? areas : [],
    bytesByKind: [...byKind].map(([kind, count]) => ({ kind, bytes: count })),
    overview: { cellBytes, cells },
    first: 0,
    regions: regions.slice(0, pageSize),
  };
  return comparison;
}

/** The server's response for a comparison: its first page, and the bytes of the windows around the first changes. */
export function answersFor(comparison: Comparison): readonly Answer[] {
  const { fileGUID: before } = pair.before;
  const { fileGUID: after } = pair.after;
  const numbers = new Set(
    comparison.regions.slice(0, 4).map(({ offset }) => Math.floor(offset / windowBytes)),
  );
  const windows = [...numbers].flatMap((number) => {
    const from = number * windowBytes;
    const one = Uint8Array.from({ length: windowBytes }, (_, at) => ((from + at) * 7) % 251);
    const other = one.slice();
    for (const { offset, length } of comparison.regions)
      for (let at = Math.max(offset, from); at < offset + length; at += 1)
        if (at - from < windowBytes) other[at - from] = (other[at - from] ?? 0) ^ 0x55;
    return [
      { key: ['code', 'bytes', before, number], data: one },
      { key: ['code', 'bytes', after, number], data: other },
    ];
  });
  return [{ key: ['code', 'comparison', before, after, 0], data: comparison }, ...windows];
}

export const few = compared({
  size: 0x80000,
  places: [0x524fc, 0x52bd0, 0x53a90, 0x54604, 0x60100],
});
export const one = compared({ size: 0x80000, places: [0x10040], length: 20, bytes: 12 });
/** Few bytes, in so many places that marks of one height would cover the whole map. */
export const scattered = compared({
  size: 0x80000,
  places: Array.from({ length: 380 }, (_, index) => 0x4000 + index * 1311),
  length: 1,
});
export const identical = compared({ size: 0x80000, places: [] });
export const many = compared({
  size: 0x1000000,
  places: Array.from({ length: 12_345 }, (_, index) => 0x2000 + index * 1300),
  knowsAreas: false,
});
export const shorter = compared({
  size: 0x80000,
  otherSize: 0x70000,
  places: [0x50010, 0x70000],
  length: 16,
});
