/**
 * Changes seeded places of every protocol's components, encodes them, writes them with the slave simulator, and compares
 * what is then on the slave with what was uploaded, and with what the pre-flight said about it.
 */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import { containerFamilies, type Family } from '@recodery/contract/families/registry';
import { checksumRanges } from '../../src/checksum/places.ts';
import type { Range } from '../../src/checksum/scheme.ts';
import { compareImages } from '../../src/compare.ts';
import { CodecError } from '../../src/errors.ts';
import { getCodec } from '../../src/families/registry.ts';
import type { ImageCheck } from '../../src/preflight/checks.ts';
import { preflightChecks } from '../../src/preflight/preflight.ts';
import { componentsFor, protocols } from '../../src/protocols/protocols.ts';
import type { ComponentSpec, Protocol } from '../../src/protocols/shape.ts';
import { correctImage } from '../../src/recoding/correct-image.ts';
import { generateImage } from '../../src/sample-images/images.ts';
import { mixSeeds, type Random, seededRandom } from '../../src/sample-images/random.ts';
import { acceptEncoded } from '../../src/simulator/slave.ts';
import { otherSalt, sealedRead, slaveOf } from '../slaves.ts';

/** A read of a protocol, as one family reads it. */
interface Ground {
  readonly title: string;
  readonly family: Family;
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly specs: readonly ComponentSpec[];
  /** Of the ECU as it was built, which is also the original. */
  readonly stock: ReadonlyMap<ComponentName, Uint8Array>;
  /** Of the read. */
  readonly images: ReadonlyMap<ComponentName, Uint8Array>;
  readonly kind: ReadKind;
  readonly file: Uint8Array;
}

/** `missing`: only the identification, the image is the library's. `wrong`: its checksums and copies are not right. */
type ReadKind = 'whole' | 'missing' | 'wrong';

/** Bytes of the components that may have many sizes. */
const openSize = 4096;

function groundOf(protocol: Protocol, family: Family, mode: Mode, kind: ReadKind): Ground {
  const specs = componentsFor(protocol, family, mode);
  const stock = new Map(
    specs.map(({ name, sizes, format }) => {
      const size = 'min' in sizes && format === undefined ? openSize : undefined;
      return [name, generateImage(protocol, name, 11, size)] as const;
    }),
  );
  const images = kind === 'wrong' ? new Map([...stock].map(damaged)) : stock;
  const components = [...images].map(([name, bytes]) => ({ name, bytes }));
  const identificationOnly = kind === 'missing';
  const read = { protocolId: protocol.id, mode, information: {}, identificationOnly };
  return {
    title: `${kind} read of ${protocol.name} as ${family} ${mode}`,
    ...{ family, mode, protocol, specs, stock, images, kind },
    file: sealedRead(family, components, read),
  };
}

/** An image in which four short runs differ, like a read of an ECU that was written badly. */
function damaged([name, image]: readonly [ComponentName, Uint8Array]) {
  const wrong = new Uint8Array(image);
  // maps files are only decoded if they are right
  const runs = name === 'mapfile' ? 0 : 4;
  const random = seededRandom(mixSeeds(image.length, 3));
  for (let index = 0; index < runs; index += 1) {
    change(wrong, { at: random.below(wrong.length - 8), length: 8 }, random);
  }
  return [name, wrong] as const;
}

/** Families without a container take plain files: nothing is sealed for a slave. */
const hasContainer = ({ family }: { readonly family: Family }): boolean =>
  containerFamilies.some((one) => one === family);

/** Every protocol in every family with a container and mode that uses it. KESS3 also decodes reads with wrong checksums. */
function allGrounds(): readonly Ground[] {
  return protocols.flatMap((protocol) =>
    protocol.families
      .filter(hasContainer)
      .flatMap(({ family, modes }) =>
        modes.flatMap((mode) => [
          groundOf(protocol, family, mode, 'whole'),
          ...(protocol.isVirtualReadingPossible
            ? [groundOf(protocol, family, mode, 'missing')]
            : []),
          ...(family === 'kess3' ? [groundOf(protocol, family, mode, 'wrong')] : []),
        ]),
      ),
  );
}

/** One change of one component, and the switches of its encode. */
interface Place {
  readonly ground: Ground;
  readonly spec: ComponentSpec;
  readonly modified: Uint8Array;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  /** The other components are written, too, as they were read. */
  readonly keepsOthers: boolean;
  /** Null: none. */
  readonly original: Uint8Array | null;
}

/** The parts of a component in which a change can have a meaning of its own. */
function partsOf(spec: ComponentSpec, image: Uint8Array): readonly Range[] {
  const { areas = [], protectedRanges = [], checksums = [], ident, cvn, redundantPage } = spec;
  const second = redundantPage && { ...redundantPage, at: redundantPage.at + redundantPage.length };
  return [
    { at: 0, length: image.length },
    ...areas,
    ...protectedRanges,
    ...checksums.flatMap((rule) => checksumRanges(rule, image)),
    // a rule's place counts twice, and once with its neighbors
    ...checksums.flatMap((rule) =>
      checksumRanges(rule, image).map(({ at, length }) => ({ at: at - 8, length: length + 16 })),
    ),
    ...(ident === undefined ? [] : [...ident.fields, { ...ident.marker, length: 16 }]),
    ...(cvn === undefined ? [] : [cvn.calibration, { at: cvn.compensationAt, length: 4 }]),
    ...(redundantPage === undefined ? [] : [redundantPage]),
    ...(second === undefined ? [] : [second]),
  ].filter(({ at, length }) => at >= 0 && length > 0 && at + length <= image.length);
}

/** Changes bytes, each to another value. */
function change(image: Uint8Array, { at, length }: Range, random: Random): void {
  for (let place = at; place < at + length; place += 1) {
    image[place] = (image[place] ?? 0) ^ (1 + random.below(255));
  }
}

function choose<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[random.below(choices.length)];
  if (chosen === undefined) throw new Error('there is nothing to choose');
  return chosen;
}

/** Some of the places of a part: 1 to 64 bytes. */
function within(part: Range, random: Random): Range {
  const length = Math.min(random.pick([1, 2, 4, 16, 16, 64]), part.length);
  return { at: part.at + random.below(part.length - length + 1), length };
}

function placeOf(ground: Ground, spec: ComponentSpec, random: Random): Place {
  const read = ground.images.get(spec.name) ?? new Uint8Array();
  const changed = new Uint8Array(read);
  const parts = partsOf(spec, read);
  const count = random.pick([1, 1, 1, 2, 3]);
  for (let index = 0; index < count; index += 1) {
    change(changed, within(choose(random, parts), random), random);
  }
  const switches = {
    willCorrectCVN: random.below(2) === 0,
    willSkipChecksum: random.below(6) === 0,
  };
  // a tuner's own program may have corrected the checksums before the upload
  const modified = random.below(4) === 0 ? correctedBefore(spec, changed, read) : changed;
  const original = originalOf(ground, spec, modified, random);
  return { ground, spec, modified, ...switches, keepsOthers: random.below(8) === 0, original };
}

/** The right original, or what users take for it: the modified file, another tune, the file of another vehicle. */
function originalOf(
  { stock, images, kind }: Ground,
  spec: ComponentSpec,
  modified: Uint8Array,
  random: Random,
): Uint8Array | null {
  const right = stock.get(spec.name) ?? null;
  const needsOriginal = spec.checksums?.some((rule) => rule.needsOriginal) === true;
  if (spec.name !== 'obd' || right === null) return null;
  if (kind === 'missing') return right;
  if (!needsOriginal && random.below(4) > 0) return null;
  const other = new Uint8Array(images.get(spec.name) ?? right);
  change(other, within(choose(random, partsOf(spec, other)), random), random);
  return choose(random, [right, right, modified, other]);
}

function correctedBefore(spec: ComponentSpec, image: Uint8Array, read: Uint8Array): Uint8Array {
  try {
    const switches = { willCorrectCVN: false, willSkipChecksum: false };
    return correctImage(switches, spec, image, read).image;
  } catch (error) {
    if (error instanceof CodecError) return image;
    throw error;
  }
}

/** What the checks said, and what an encode wrote or why it refused. */
interface Seen {
  readonly place: Place;
  readonly before: Uint8Array;
  readonly checks: readonly ImageCheck[];
  readonly vendorChecks: readonly ImageCheck[];
  /** Null: the encode refused the change, with this code. */
  readonly written: ReadonlyMap<ComponentName, Uint8Array> | null;
  readonly code: string | null;
}

function see(place: Place): Seen {
  const { ground, spec, modified, original, willCorrectCVN, willSkipChecksum, keepsOthers } = place;
  const { family, mode, protocol, images, kind, file } = ground;
  const isMissing = kind === 'missing';
  const before = images.get(spec.name) ?? new Uint8Array();
  const isOriginalFromLibrary = isMissing;
  const others = ground.specs.filter(({ name }) => name !== spec.name).map(({ name }) => name);
  const switches = { willCorrectCVN, willSkipChecksum, original, isOriginalFromLibrary };
  const components = [spec.name, ...(keepsOthers ? others : [])].map((name) => ({
    name,
    decoded: isMissing ? null : (images.get(name) ?? null),
    modified: name === spec.name ? modified : null,
  }));
  const input = { ...switches, protocolId: protocol.id, mode, components };
  const unsealed = { ...input, identification: null, library: null };
  const checks = preflightChecks(family, unsealed);
  // as if the engine of a vendor had decoded it, which does not report the protocol
  const vendorChecks = preflightChecks(family, { ...unsealed, protocolId: null });
  const slave = slaveOf(family);
  try {
    const encoded = getCodec(family).encode({
      ...switches,
      file,
      pairKey: slave.pairKey,
      modified: [{ name: spec.name, bytes: modified }],
      removed: keepsOthers ? [] : others,
      fileSalt: otherSalt,
      number: 1,
    });
    const { components: flashed } = acceptEncoded({ ...slave, file: encoded.sealed.whole() });
    const written = new Map(flashed.map(({ name, bytes }) => [name, bytes]));
    return { place, before, checks, vendorChecks, written, code: null };
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return { place, before, checks, vendorChecks, written: null, code: error.internalCode };
  }
}

/** How many of the user's bytes are not on the slave, or are in a protected range. */
function countLost({ place, before, written }: Seen): { lost: number; guarded: number } {
  const { spec, modified } = place;
  const flashed = written?.get(spec.name);
  let lost = 0;
  let guarded = 0;
  for (let at = 0; at < modified.length; at += 1) {
    if (modified[at] === before[at]) continue;
    if (flashed?.[at] !== modified[at]) lost += 1;
    const isGuarded = spec.protectedRanges?.some(
      (range) => at >= range.at && at < range.at + range.length,
    );
    if (isGuarded === true) guarded += 1;
  }
  return { lost, guarded };
}

/** What the checks of an original hide: every byte counts in which it differs from the read. */
function hiddenOriginal({ place, before }: Seen, checks: readonly ImageCheck[], by: string) {
  const { original, ground } = place;
  const refused = checks.some(({ status }) => status === 'red');
  if (original === null || ground.kind === 'missing' || refused) return [];
  const check = checks.find(({ id }) => id === 'original');
  const { bytes } = compareImages(before, original);
  if (check?.id !== 'original') return [`the original is not checked ${by}`];
  const isRight = check.values?.bytes === bytes && (bytes === 0 || check.status === 'amber');
  return isRight ? [] : [`${bytes} bytes of the original differ, the check ${by} says otherwise`];
}

/** The promises that what was seen breaks. */
function brokenPromises(seen: Seen): string[] {
  return [
    ...brokenByEncode(seen),
    ...hiddenOriginal(seen, seen.checks, 'of the protocol'),
    ...hiddenOriginal(seen, seen.vendorChecks, 'of a vendor'),
  ];
}

function brokenByEncode(seen: Seen): string[] {
  const { checks, written, code, place } = seen;
  const reds = checks.filter(({ status }) => status === 'red');
  if (written === null) {
    const isTold = reds.some(({ fault }) => fault?.internalCode === code);
    return isTold ? [] : [`the encode refuses it with ${code}, which no check says`];
  }
  const { lost, guarded } = countLost(seen);
  const isGreen = checks.every(({ status }) => status === 'green' || status === 'unchecked');
  const told = checks.find((check) => check.id === 'overwritten')?.values?.bytes ?? null;
  const isCounted = place.spec.format !== undefined || told === lost;
  const others = [...written].filter(([name]) => name !== place.spec.name);
  return [
    ...(reds.length > 0 ? [`${reds[0]?.id} is red, but the encode accepts it`] : []),
    ...(isGreen && lost > 0 ? [`${lost} changed bytes are lost, and no check says so`] : []),
    ...(isGreen && guarded > 0 ? [`${guarded} protected bytes are changed unnoticed`] : []),
    ...(isCounted ? [] : [`${lost} changed bytes are lost, and the check says ${told}`]),
    ...others.flatMap(([name, bytes]) =>
      Buffer.compare(bytes, place.ground.images.get(name) ?? new Uint8Array()) === 0
        ? []
        : [`${name} was not changed, but is written differently`],
    ),
  ];
}

/** The result of a sweep. */
export interface Sweep {
  readonly places: number;
  /** Places with this worst status, and those where the encode overwrote something. */
  readonly green: number;
  readonly amber: number;
  readonly red: number;
  readonly overwritten: number;
  /** Components that were changed, with their protocol, family and mode. */
  readonly components: number;
  readonly broken: readonly string[];
}

/** Visits at least this many places, the same number in each component of each protocol, family and mode. */
export function sweep(atLeast: number, seed: number): Sweep {
  const grounds = allGrounds();
  const targets = grounds.flatMap((ground) => ground.specs.map((spec) => ({ ground, spec })));
  const each = Math.ceil(atLeast / targets.length);
  const counts = { green: 0, amber: 0, red: 0, overwritten: 0 };
  const broken: string[] = [];
  for (const [index, { ground, spec }] of targets.entries()) {
    for (let turn = 0; turn < each; turn += 1) {
      const seen = see(placeOf(ground, spec, seededRandom(mixSeeds(seed, index, turn))));
      const has = (status: ImageCheck['status']) =>
        seen.checks.some((check) => check.status === status);
      counts[has('red') ? 'red' : has('amber') ? 'amber' : 'green'] += 1;
      if (seen.written !== null && countLost(seen).lost > 0) counts.overwritten += 1;
      const where = `${ground.title}, ${spec.name}, place ${turn}`;
      broken.push(...brokenPromises(seen).map((fault) => `${where}: ${fault}`));
    }
  }
  return { places: each * targets.length, components: targets.length, ...counts, broken };
}
