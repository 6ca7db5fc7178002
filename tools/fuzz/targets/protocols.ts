/**
 * Images of every protocol, changed where the protocol looks: identification, checksums, tables, maps files. An input
 * names a component and lists changes of its generated image.
 *
 *     0  1  component    1  1  options    2  …  changes: landmark u8, offset i8, length u8, bytes
 */
import { isDeepStrictEqual } from 'node:util';
import {
  correctChecksums,
  isChecksumFault,
  verifyChecksums,
} from '@recodery/codec/checksum/checksum';
import { correctCvn } from '@recodery/codec/checksum/cvn';
import { checkMapFile, checkModified, checkOriginal } from '@recodery/codec/recoding/image-checks';
import { generateImage } from '@recodery/codec/sample-images/images';
import { matchIdent, readIdent } from '@recodery/codec/protocols/ident';
import { protocols } from '@recodery/codec/protocols/protocols';
import type { ComponentSpec, Protocol } from '@recodery/codec/protocols/shape';
import { orRefused } from '../codec-errors.ts';
import { Broken, type FuzzTarget, must, textBytes } from '../target.ts';

/** A component with its image, as the protocol generates it. */
interface Subject {
  readonly protocol: Protocol;
  readonly spec: ComponentSpec;
  readonly image: Uint8Array;
  /** Offsets where the protocol reads or writes. */
  readonly landmarks: readonly number[];
}

/** The largest image that is used: larger ones differ only in size, and are slower. */
const largest = 0x100000;

const subjects = protocols
  .filter(({ id }) => id !== 9000)
  .flatMap((protocol) => protocol.components.map((spec) => makeSubject(protocol, spec)))
  .filter(({ image }) => image.length <= largest);

function makeSubject(protocol: Protocol, spec: ComponentSpec): Subject {
  const image = generateImage(protocol, spec.name, 1);
  const { ident, checksums = [], cvn, areas = [], fixedNumbers = [], protectedRanges = [] } = spec;
  const ranges = [
    ...(ident?.fields ?? []),
    ...(cvn === undefined ? [] : [cvn.calibration, { at: cvn.compensationAt, length: 4 }]),
    ...areas,
    ...protectedRanges,
    ...checksums.flatMap((rule) => ('table' in rule.ranges ? [] : rule.ranges)),
  ];
  const places = [
    // The numbers at the start of a maps file, and of its first map.
    ...(spec.format === undefined ? [] : [10, 8, 12, 16, 20, 24]),
    ...(ident === undefined ? [] : [ident.marker.at]),
    ...fixedNumbers.map(({ at }) => at),
    ...checksums.flatMap(({ ranges: source, result, disabledWhen }) => [
      ...('table' in source ? [source.table.at] : []),
      result.kind === 'target' ? result.free.at : result.at,
      ...(result.kind === 'store' ? [result.complementAt ?? result.at] : []),
      ...(disabledWhen === undefined ? [] : [disabledWhen.at]),
    ]),
    ...ranges.flatMap(({ at, length }) => [at, at + length - 1]),
  ];
  return { protocol, spec, image, landmarks: [...new Set([0, ...places])] };
}

/** The image with the changes that an input lists, and the option bits. */
function applyChanges({ image, landmarks }: Subject, input: Buffer): Uint8Array {
  const changed = new Uint8Array(image);
  for (let at = 2; at + 3 < input.length; ) {
    const landmark = landmarks[(input[at] ?? 0) % landmarks.length] ?? 0;
    const length = input[at + 2] ?? 0;
    const bytes = input.subarray(at + 3, at + 3 + length);
    const place = Math.min(Math.max(0, landmark + input.readInt8(at + 1)), changed.length);
    changed.set(bytes.subarray(0, changed.length - place), place);
    at += 3 + length;
  }
  return changed;
}

/** The bytes of an image that the product must never change. */
function protectedOf({ protectedRanges = [] }: ComponentSpec, image: Uint8Array): Buffer {
  return Buffer.concat(protectedRanges.map(({ at, length }) => image.subarray(at, at + length)));
}

/** Corrects the checksums of a changed image; the result must be right, and correcting it again must change nothing. */
function checkCorrection({ spec, image }: Subject, changed: Uint8Array, isAlone: boolean): void {
  const scheme = spec.checksums;
  if (scheme === undefined) return;
  const original = isAlone ? undefined : image;
  const before = verifyChecksums(scheme, changed, original);
  const copy = Buffer.from(changed);
  const corrected = orRefused(() => correctChecksums(scheme, changed, original));
  must(copy.equals(changed), 'the input of a correction is changed');
  if (corrected === null) return;
  const { image: right, reports } = corrected;
  must(right.length === changed.length, 'a correction changes the size');
  const after = verifyChecksums(scheme, right, original);
  must(isDeepStrictEqual(after, reports), 'a correction reports something else than it did');
  const fault = after.find((report) => isChecksumFault(scheme, report));
  must(fault === undefined, `corrected, but ${fault?.rule} is still wrong`);
  const isRight = before.every(({ state }) => state === 'ok' || state === 'disabled');
  if (isRight) must(copy.equals(right), 'an image is corrected that is right');
  must(
    protectedOf(spec, changed).equals(protectedOf(spec, right)),
    'a correction changes protected bytes',
  );
  const again = orRefused(() => correctChecksums(scheme, right, original));
  must(again !== null && Buffer.from(right).equals(again.image), 'corrected again, it differs');
}

function checkCvn({ spec, image }: Subject, changed: Uint8Array): void {
  const { cvn } = spec;
  if (cvn === undefined) return;
  const right = orRefused(() => correctCvn(cvn, changed, image));
  if (right === null) return;
  // Corrected for the second time, nothing is left to do: the same array comes back.
  must(correctCvn(cvn, right, image) === right, 'the CVN is corrected, but not right');
}

function run(bytes: Uint8Array): void {
  const input = Buffer.from(bytes);
  const subject = subjects[(input[0] ?? 0) % subjects.length];
  if (subject === undefined) throw new Broken('no protocol has an image');
  const options = input[1] ?? 0;
  const { protocol, spec, image } = subject;
  const changed = applyChanges(subject, input);
  const modified = (options & 1) === 0 ? changed : changed.subarray(0, changed.length - options);
  const ident = readIdent(spec, modified);
  if (ident !== null) must(matchIdent(ident, ident), 'an identification differs from itself');
  if ((options & 8) === 0) {
    checkCorrection(subject, changed, (options & 2) !== 0);
    checkCvn(subject, changed);
    return;
  }
  orRefused(() => checkMapFile(protocol.components, spec, modified, null));
  for (const { family, modes } of protocol.families) {
    for (const mode of modes) {
      const place = { protocolId: protocol.id, mode, component: spec.name };
      const decoded = (options & 4) === 0 ? image : null;
      orRefused(() => checkModified(family, { ...place, decoded, modified }));
      const identification = { hardware: ident?.hardware ?? null, software: 'REF-SW-000000' };
      orRefused(() =>
        checkOriginal(family, { ...place, decoded, identification, original: modified }),
      );
    }
  }
}

/** See the file's first comment. */
export const target: FuzzTarget = {
  longest: 1024,
  seeds: () =>
    subjects.flatMap((_, index) => [
      Uint8Array.of(index, 0),
      Uint8Array.of(index, 8),
      Uint8Array.of(index, 8, 1, 0, 1, 0xfe),
      Uint8Array.of(index, 4, 2, 0, 4, 0xff, 0, 0xff, 0xff, 3, 4, 2, 1, 2),
    ]),
  dictionary: [
    ...textBytes(['REF-MAP\0', 'REF-SW-', 'REF-HW-', '    ', 'MAP 1']),
    Uint8Array.of(0x80, 0, 0, 0),
    Uint8Array.of(0xa0, 0, 2, 0),
    Uint8Array.of(0, 2, 0, 0xa0),
    Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
  ],
  run,
};
