/** Makes the confusion table: every damage of every reference image with every tune, and what the diagnosis says. */
import { diagnose } from '@recodery/codec/diagnosis/diagnose';
import type { Ask, Finding } from '@recodery/codec/diagnosis/finding';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { generateImage } from '@recodery/codec/sample-images/images';
import { seededRandom } from '@recodery/codec/sample-images/random';
import { type Damage, damages } from '../../codec/samples/damages.ts';
import type { ReferenceImage } from './references.ts';

/** Changes a share of a part of an image, in runs of `run` bytes. */
const change =
  (share: number, run: number, isCalibration: boolean) =>
  ({ image, calibration }: ReferenceImage): Uint8Array => {
    const random = seededRandom(image.length + run);
    const { at, length } = isCalibration ? calibration : { at: 0, length: image.length };
    const tuned = new Uint8Array(image);
    const runs = Math.max(1, Math.round((share * length) / run));
    for (let count = 0; count < runs; count += 1) {
      const from = at + random.below(Math.max(1, length - run));
      for (let place = from; place < from + run; place += 1) {
        tuned[place] = (tuned[place] ?? 0) + 1 + random.below(8);
      }
    }
    return tuned;
  };

/** The tunes: how an image is changed before it is damaged. */
const tunes = {
  '0.1 % of the calibration': change(0.001, 8, true),
  '1 % of the calibration': change(0.01, 32, true),
  '2 % in blocks': change(0.02, 256, false),
  '2 % scattered': change(0.02, 1, false),
} as const;

/** The counts of a damage. */
export interface Row {
  readonly damage: string;
  cases: number;
  /** The kind is right, and the repair, if there must be one. */
  right: number;
  /** The kind is right, but a reversible damage has no repair. */
  unrepaired: number;
  /** Other kinds that were reported, with their numbers. */
  readonly others: Map<string, number>;
  /** Repairs called lossless that are not the tuned image. */
  readonly wrongRepairs: string[];
  /** Files that do not fit, without a finding. */
  readonly silent: string[];
}

/** Below this size a diagnosis does not guess. */
const smallest = 8192;

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Places in which an image and another software differ, at most 64 of them. */
function differingPlaces(image: Uint8Array, other: Uint8Array): readonly number[] {
  const all: number[] = [];
  for (let at = 0; at < image.length; at += 1) {
    if (image[at] !== other[at]) all.push(at);
  }
  return all.filter((_, index) => index % Math.ceil(all.length / 64) === 0);
}

/** Identifies images of the size of a reference: as its software, or as the other one. */
function identify({ image, other }: ReferenceImage): Ask['identify'] {
  if (other === null) return () => null;
  const places = differingPlaces(image, other);
  return (candidate) => {
    if (candidate.length !== image.length) return null;
    const alike = (known: Uint8Array) => places.filter((at) => candidate[at] === known[at]).length;
    return { software: alike(image) >= alike(other) ? 'this' : 'other' };
  };
}

function judge(
  row: Row,
  name: string,
  damage: Damage,
  result: Finding | null,
  truth: Uint8Array,
  isMisfit: boolean,
) {
  row.cases += 1;
  const repair = result?.repair ?? null;
  if (repair?.isLossless && !isSame(repair.bytes, truth)) row.wrongRepairs.push(name);
  if (result === null && isMisfit) row.silent.push(name);
  const isKind = result === null ? damage.kinds.length === 0 : damage.kinds.includes(result.kind);
  if (!isKind) {
    const kind = result?.kind ?? 'nothing';
    row.others.set(kind, (row.others.get(kind) ?? 0) + 1);
  } else if (damage.isReversible && repair === null) {
    row.unrepaired += 1;
  } else {
    row.right += 1;
  }
}

/** Diagnoses every damage of the images with every tune, or only with the last one; calls back after each image. */
export function makeTable(
  references: readonly ReferenceImage[],
  report: (name: string) => void = () => undefined,
  isShort = false,
): readonly Row[] {
  const rows = damages.map(
    ({ name }): Row => ({
      damage: name,
      cases: 0,
      right: 0,
      unrepaired: 0,
      others: new Map(),
      wrongRepairs: [],
      silent: [],
    }),
  );
  const bench = findProtocol(3001);
  if (bench === null) throw new Error('there is no protocol 3001');
  const eeprom = generateImage(bench, 'eeprom', 9);
  for (const reference of references) {
    const { image } = reference;
    const known = identify(reference);
    for (const [tune, makeTune] of Object.entries(tunes).slice(isShort ? -1 : 0)) {
      const tuned = makeTune(reference);
      for (const [index, damage] of damages.entries()) {
        const row = rows[index];
        const file = damage.make({ ...reference, image: tuned, eeprom });
        if (file === null || row === undefined) continue;
        // a damage that changes nothing, or only what carries no information, is none
        const isSpared = damage.kinds.length > 0 && isSame(file, tuned);
        if (isSpared) continue;
        const accepts = (candidate: Uint8Array): boolean =>
          candidate.length === image.length && known(candidate)?.['software'] !== 'other';
        const others = [{ name: 'eeprom', image: eeprom }] as const;
        const result = diagnose({ upload: file, image, others, accepts, identify: known });
        const truth = damage.name === 'the EEPROM' ? eeprom : tuned;
        const isMisfit =
          image.length >= smallest && (file.length !== image.length || !accepts(file));
        judge(row, `${reference.name}, ${tune}`, damage, result, truth, isMisfit);
      }
    }
    report(reference.name);
  }
  return rows;
}
