/** Any pre-flight response: every check in every status, with values as the server can return them. */
import {
  type PreflightAnswer,
  type PreflightCheck,
  preflightCheck,
} from '@recodery/contract/features/recoding/preflight';
import fc from 'fast-check';

type Id = PreflightCheck['id'];
type Status = PreflightCheck['status'];

/** The statuses that the server gives each check. */
export const statuses: Readonly<Record<Id, readonly Status[]>> = {
  files: ['green', 'red'],
  'read-checksums': ['green', 'amber', 'unchecked'],
  original: ['green', 'amber', 'red', 'unchecked'],
  size: ['green', 'red', 'unchecked'],
  'map-file': ['green', 'red'],
  fit: ['amber', 'unchecked'],
  identification: ['green', 'amber', 'red', 'unchecked'],
  checksums: ['green', 'amber', 'red', 'unchecked'],
  'known-checksums': ['green', 'amber', 'red', 'unchecked'],
  overwritten: ['green', 'amber', 'red', 'unchecked'],
  cvn: ['green', 'amber', 'red', 'unchecked'],
  identical: ['green', 'amber', 'unchecked'],
  'much-changed': ['green', 'amber', 'unchecked'],
  'outside-calibration': ['green', 'amber', 'unchecked'],
  'known-elsewhere': ['green', 'amber'],
  'already-tuned': ['green', 'amber', 'unchecked'],
};

/** Every reason why a check was not made. */
const reasons = Object.keys({
  'engine-does-not-report': true,
  'no-scheme': true,
  'no-known-scheme': true,
  'no-identification': true,
  'no-cvn': true,
  'no-areas': true,
  'no-image-in-read': true,
  'no-original-in-library': true,
  'no-numbers-in-read': true,
  'refused-before': true,
  'not-certain': true,
  'engine-unavailable': true,
} satisfies Record<NonNullable<PreflightCheck['reason']>, true>);

const count = fc.integer({ min: 1, max: 600_000 });
const place = { at: 0x6010c, length: 4, shownAt: 0x6010c, before: 'a0b1c2d3', after: '17f0939e' };
const rule = fc.record({
  rule: fc.constantFrom('BOOT', 'CALIBRATION', 'CALIBRATION-COPY'),
  state: fc.constantFrom('right', 'corrected', 'wrong', 'disabled'),
});
const names = (min: number) =>
  fc.uniqueArray(fc.constantFrom('BOOT', 'CALIBRATION-COPY', 'CVN'), { minLength: min });
const span = fc.record({ offset: fc.nat(0x7_ffff), length: count });
const share = fc.double({ min: 1e-9, max: 1, noNaN: true });

type Values = Readonly<Record<string, unknown>>;
const many = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Values> =>
  fc.record(shape);

/** The values that a check can have with a status, as the server combines them. */
function valuesOf(id: Id, status: Status): fc.Arbitrary<Values | null> {
  const isAmber = status === 'amber';
  const zero = fc.constant(0);
  switch (id) {
    case 'size':
      return many({ actual: count, allowed: fc.constant([524_288]) });
    case 'original':
      return isAmber
        ? many({ bytes: fc.option(count), isModified: fc.boolean(), rules: names(1) })
        : many({ bytes: zero, isModified: fc.constant(false), rules: fc.constant([]) });
    case 'read-checksums':
      return many({ rules: names(isAmber ? 1 : 0) });
    case 'identification': {
      const field = { name: fc.constantFrom('vin', 'softwareDate', 'spare', 'software') };
      const changed = fc.record({ ...field, before: fc.constant('A'), after: fc.constant(null) });
      return many({ changed: fc.array(changed, isAmber ? { minLength: 1 } : { maxLength: 0 }) });
    }
    case 'checksums': {
      const wrong = fc.constant({ rule: 'BOOT', state: 'wrong' });
      const rules = fc
        .array(rule, { maxLength: 3 })
        .map((all) => all.filter(({ state }) => isAmber || state !== 'wrong'));
      return fc
        .tuple(rules, wrong, fc.boolean())
        .map(([all, one, isSkipped]) => ({ isSkipped, rules: isAmber ? [...all, one] : all }))
        .map((all) => ({ ...all, rules: all.rules.map((one) => ({ ...one, places: [place] })) }));
    }
    case 'known-checksums': {
      const part = fc.record({
        name: fc.constantFrom('Main', 'CRC', 'Multipoint 2'),
        state: fc.constantFrom(
          ...(isAmber ? ['wrong', 'off', 'not-checked'] : ['right', 'corrected']),
        ),
        ...{ rules: count, wrong: count, wasWrong: fc.boolean() },
        isTableChanged: isAmber ? fc.boolean() : fc.constant(false),
      });
      return many({
        ...{
          scheme: fc.constant('Bosch ME7'),
          isProved: isAmber ? fc.boolean() : fc.constant(true),
          bytes: count,
        },
        ...{ canCorrect: fc.boolean(), willCorrect: fc.boolean() },
        parts: fc.array(part, { minLength: 1, maxLength: 3 }),
        signature: isAmber
          ? fc.constantFrom('wrong', 'not-checked', null)
          : fc.constantFrom('valid', null),
        lost: isAmber ? fc.constantFrom([], ['CRC']) : fc.constant([]),
      });
    }
    case 'overwritten':
      return status === 'green'
        ? many({ bytes: zero, spans: fc.constant([]), rules: fc.constant([]) })
        : many({
            bytes: count,
            spans: fc.array(span, { minLength: 1, maxLength: 3 }),
            rules: names(1),
          });
    case 'cvn':
      return fc.boolean().map((willCorrect) => ({
        ...{ original: '4ad31f07', modified: '9e0021bc', willCorrect },
        encoded: willCorrect && !isAmber ? '4ad31f07' : '9e0021bc',
      }));
    case 'identical':
      return many({ bytes: isAmber ? zero : count });
    case 'much-changed':
      return many({
        ...{ bytes: isAmber ? count : fc.oneof(zero, count), size: fc.constant(524_288) },
        ...{ fraction: share, calibration: fc.option(share) },
      });
    case 'outside-calibration':
      return fc
        .tuple(count, fc.option(count), fc.boolean(), fc.nat(20), fc.nat(20), span)
        .map(([some, other, hasCalibration, identificationBytes, checksumBytes, first]) => {
          // all of them are protected, or some
          const more = other ?? some;
          const bytes = isAmber ? Math.max(some, more) : 0;
          const guarded = isAmber ? Math.min(some, more) : 0;
          return {
            ...{ bytes, hasCalibration, identificationBytes, checksumBytes },
            // without a calibration only protected bytes are counted
            protectedBytes: hasCalibration ? guarded : bytes,
            spans: isAmber ? [first] : [],
          };
        });
    case 'known-elsewhere': {
      const newest = {
        slotGUID: '01890000-0000-7000-8000-000000000001',
        ...{ readFileName: 'golf.kv2', slaveSerialNumber: null },
        decodedOn: '2026-03-02T09:30:00.000Z',
      };
      if (!isAmber) return fc.constant({ otherPart: null, count: 0, newest: null });
      return fc.constantFrom(
        { otherPart: null, count: 1, newest },
        { otherPart: 'micro', count: 0, newest: null },
        { otherPart: 'Flash', count: 1, newest },
      );
    }
    case 'already-tuned':
      return many({ bytes: isAmber ? count : zero });
    case 'fit':
      return fc.constant({
        kind: 'swapped',
        details: { size: 524_288, imageSize: 524_288, transformation: 'pairs' },
        repair: null,
      });
    default:
      return fc.constant({});
  }
}

export function aCheck(id: Id, status: Status): fc.Arbitrary<PreflightCheck> {
  const isMade = status === 'green' || status === 'amber';
  // a vendor's engine can be the cause of every missing check
  const reason = status === 'unchecked' ? fc.constantFrom(...reasons) : fc.constant(null);
  const detail = fc.constantFrom(null, 'BOOT-SIGNATURE');
  return fc
    .tuple(
      isMade || id === 'overwritten' ? valuesOf(id, status) : fc.constant(null),
      reason,
      detail,
    )
    .map(([values, why, rules]) => {
      const error =
        status === 'red' ? { errorName: 'CHECKSUM_ERROR', detail: rules, cause: 'ANY' } : null;
      const part = id === 'files' ? null : id === 'original' ? 'original' : 'modified';
      const own = status === 'unchecked' ? null : values;
      return preflightCheck.parse({ id, status, part, error, reason: why, values: own });
    });
}

export const ids = Object.keys(statuses) as Id[];
const anyCheck = (id: Id) => fc.constantFrom(...statuses[id]).chain((status) => aCheck(id, status));
export const answer: fc.Arbitrary<PreflightAnswer> = fc
  .tuple(...ids.map((id) => fc.option(anyCheck(id), { freq: 4 })))
  .map((found) => {
    const checks = found.filter((check) => check !== null);
    const has = (status: Status) => checks.some((check) => check.status === status);
    return {
      status: has('red') ? 'red' : has('amber') ? 'amber' : 'green',
      unchecked: checks.filter(({ status }) => status === 'unchecked').length,
      draft: { files: {}, removed: null, willCorrectCVN: false, willSkipChecksum: false },
      checks,
    };
  });
