/** Compares two images of an organisation: changed regions by page, totals, and an overview for a map of the image. */
import { RegionScan } from '@recodery/codec/compare';
import { type KnownArea, knownAreas } from '@recodery/codec/protocols/known-areas';
import { findComponent, findProtocol } from '@recodery/codec/protocols/protocols';
import type { AreaKind, ChangedRegion } from '@recodery/contract/features/comparison';
import type { Db } from '../postgres/tables/schema.ts';
import { findSlot } from '../slots/slots.ts';
import type { StoredFile } from '../slots/files/stored-files.ts';
import type { RecordedFile, VerifiedStorage } from '../storage/verified-storage.ts';
import { readPairs } from './paired-bytes.ts';

/** Cells of an overview, at most: more than a screen has columns. */
const mostCells = 2048;
const smallestCell = 16;

/** The bytes of a cell of an image's overview: a power of two. */
export function cellBytesOf(size: number): number {
  let cellBytes = smallestCell;
  while (cellBytes * mostCells < size) cellBytes *= 2;
  return cellBytes;
}

/** What the read's protocol defines about an image; empty if the protocol is unknown or does not describe the image. */
export async function areasOf(db: Db, file: StoredFile): Promise<readonly KnownArea[]> {
  const { organisationId, slotGuid, component, size } = file;
  const slot = await findSlot(db, organisationId, slotGuid);
  const id = slot?.protocolId ?? null;
  const protocol = id === null ? null : findProtocol(id);
  const spec = protocol && component && findComponent(protocol, component);
  return spec ? knownAreas(spec, size) : [];
}

/** The regions to list: from a number on, or from the first that ends after an offset. */
export interface RegionPage {
  readonly first: number;
  readonly at: number | null;
  readonly count: number;
}

/** A piece of the image that is in one cell and in one area, or in none. */
interface Section {
  readonly end: number;
  readonly kind: AreaKind | null;
}

/** Divides an image of `size` bytes at the edges of its cells and known areas. */
function* sectionsOf(
  size: number,
  cellBytes: number,
  areas: readonly KnownArea[],
): Generator<Section, undefined> {
  let from = 0;
  let next = 0;
  while (from < size) {
    let area = areas[next];
    if (area !== undefined && area.offset + area.length <= from) {
      next += 1;
      area = areas[next];
    }
    const isInside = area !== undefined && area.offset <= from;
    const edge = area === undefined ? size : isInside ? area.offset + area.length : area.offset;
    const cellEnd = (Math.floor(from / cellBytes) + 1) * cellBytes;
    const end = Math.min(size, edge, cellEnd);
    yield { end, kind: isInside && area ? area.kind : null };
    from = end;
  }
  return undefined;
}

/** Totals and regions of a comparison. */
export class ComparisonScan {
  readonly regions: Omit<ChangedRegion, 'kinds'>[] = [];
  readonly cells: number[];
  readonly bytesByKind = new Map<AreaKind | null, number>();
  readonly scan: RegionScan;
  first: number;
  readonly #cellBytes: number;
  readonly #sections: Generator<Section, undefined>;
  #section: Section | undefined;
  #at = 0;

  constructor(size: number, areas: readonly KnownArea[], { first, at, count }: RegionPage) {
    this.#cellBytes = cellBytesOf(size);
    this.cells = Array.from({ length: Math.ceil(size / this.#cellBytes) }, () => 0);
    this.#sections = sectionsOf(size, this.#cellBytes, areas);
    this.#section = this.#sections.next().value;
    this.first = at === null ? first : 0;
    this.scan = new RegionScan((offset, length, bytes) => {
      const number = this.scan.regions - 1;
      const isBefore = at === null ? number < first : offset + length <= at;
      if (isBefore) {
        if (at !== null) this.first = number + 1;
      } else if (this.regions.length < count) this.regions.push({ offset, length, bytes });
    });
  }

  get cellBytes(): number {
    return this.#cellBytes;
  }

  /** Compares the next bytes of both images. */
  compare(before: Uint8Array, after: Uint8Array): void {
    this.#forEachSection(before.length, (from, to) =>
      this.scan.compare(before.subarray(from, to), after.subarray(from, to)),
    );
  }

  /** Counts the next bytes, which only one image has, as changed. */
  addChanged(length: number): void {
    this.#forEachSection(length, (from, to) => {
      this.scan.addChanged(to - from);
      return to - from;
    });
  }

  /** Calls `compare` for each section of the next `length` bytes, and counts what differs. */
  #forEachSection(length: number, compare: (from: number, to: number) => number): void {
    const start = this.#at;
    const stop = start + length;
    while (this.#at < stop && this.#section !== undefined) {
      const { end, kind } = this.#section;
      const to = Math.min(stop, end);
      const bytes = compare(this.#at - start, to - start);
      if (bytes > 0) {
        const cell = Math.floor(this.#at / this.#cellBytes);
        this.cells[cell] = (this.cells[cell] ?? 0) + bytes;
        this.bytesByKind.set(kind, (this.bytesByKind.get(kind) ?? 0) + bytes);
      }
      this.#at = to;
      if (to === end) this.#section = this.#sections.next().value;
    }
  }
}

/** The kinds of the areas that a region touches, each once. */
export function kindsIn(
  { offset, length }: Omit<ChangedRegion, 'kinds'>,
  areas: readonly KnownArea[],
): AreaKind[] {
  const end = offset + length;
  const touched = areas.filter((area) => area.offset < end && offset < area.offset + area.length);
  return [...new Set(touched.map(({ kind }) => kind))];
}

/** Reads and compares two stored images. @throws as `VerifiedStorage.get` */
export async function scanImages(
  storage: Pick<VerifiedStorage, 'get'>,
  before: RecordedFile,
  after: RecordedFile,
  { areas, page }: { readonly areas: readonly KnownArea[]; readonly page: RegionPage },
): Promise<ComparisonScan> {
  const size = Math.max(before.size, after.size);
  const found = new ComparisonScan(size, areas, page);
  for await (const [one, other] of readPairs(storage, before, after)) found.compare(one, other);
  found.addChanged(size - Math.min(before.size, after.size));
  found.scan.finish();
  return found;
}

/** Compares two images of an organisation. @throws as {@link scanImages} */
export async function compareStoredImages(
  { db, storage }: { readonly db: Db; readonly storage: VerifiedStorage },
  before: StoredFile,
  after: StoredFile,
  page: RegionPage,
) {
  const size = Math.max(before.size, after.size);
  const areas = await areasOf(db, before);
  const found = await scanImages(storage, before, after, { areas, page });
  const { bytes, regions: regionCount } = found.scan;
  return {
    size,
    bytes,
    fraction: size === 0 ? 0 : bytes / size,
    regionCount,
    areas: [...areas],
    bytesByKind: [...found.bytesByKind].map(([kind, count]) => ({ kind, bytes: count })),
    overview: { cellBytes: found.cellBytes, cells: found.cells },
    first: Math.min(found.first, regionCount),
    regions: found.regions.map((region) => ({ ...region, kinds: kindsIn(region, areas) })),
  };
}
