/** Fixed responses of the checks before encoding. */
import type {
  PreflightAnswer,
  PreflightCheck,
} from '@recodery/contract/features/recoding/preflight';

const none = { part: null, error: null, reason: null } as const;
const image = { part: 'modified', error: null, reason: null } as const;
const flash = { part: 'Flash', error: null, reason: null } as const;
const green = { ...image, status: 'green' } as const;
const amber = { ...image, status: 'amber' } as const;

const rules: Extract<PreflightCheck, { id: 'checksums' }>['values'] = {
  isSkipped: false,
  rules: [
    {
      rule: 'BOOT',
      state: 'right',
      places: [{ at: 0x60100, length: 2, shownAt: 0x60100, before: '9d1c', after: '9d1c' }],
    },
    {
      rule: 'CALIBRATION',
      state: 'corrected',
      places: [{ at: 0x6010c, length: 4, shownAt: 0x6010c, before: 'a0b1c2d3', after: '17f0939e' }],
    },
    {
      rule: 'CALIBRATION-DIGEST',
      state: 'corrected',
      places: [
        {
          at: 0xc0110,
          length: 32,
          shownAt: 0xc0110,
          before: '9f86d081'.repeat(8),
          after: '1b4f0e98'.repeat(8),
        },
      ],
    },
  ],
};

const cvn = { original: '4ad31f07', modified: '9e0021bc', encoded: '9e0021bc', willCorrect: false };

const inside = { hasCalibration: true, identificationBytes: 0, checksumBytes: 0 } as const;

/** Nothing to decide. */
const passed: readonly PreflightCheck[] = [
  { id: 'files', ...none, status: 'green', values: {} },
  { id: 'read-checksums', ...none, status: 'green', values: { rules: [] } },
  { id: 'size', ...green, values: { actual: 524_288, allowed: [524_288] } },
  { id: 'identification', ...green, values: { changed: [] } },
  { id: 'checksums', ...green, values: rules },
  { id: 'overwritten', ...green, values: { bytes: 0, spans: [], rules: [] } },
  { id: 'cvn', ...green, values: cvn },
  { id: 'identical', ...green, values: { bytes: 424 } },
  {
    id: 'much-changed',
    ...green,
    values: { bytes: 424, size: 524_288, fraction: 0.0008, calibration: 0.006 },
  },
  {
    id: 'outside-calibration',
    ...green,
    values: { ...inside, bytes: 0, protectedBytes: 0, spans: [] },
  },
  { id: 'known-elsewhere', ...green, values: { otherPart: null, count: 0, newest: null } },
  { id: 'already-tuned', ...green, values: { bytes: 0 } },
];

/** The same with other results for some of the checks. */
function withOthers(...others: readonly PreflightCheck[]): readonly PreflightCheck[] {
  const own = new Map(others.map((one) => [one.id, one]));
  const kept = passed.map((one) => own.get(one.id) ?? one);
  return [...kept, ...others.filter(({ id }) => passed.every((one) => one.id !== id))];
}

const longName =
  'Volkswagen_Golf_VII_2.0_TDI_150hp_EDC17C64_ORIGINAL_read_after_service_customer_final_v3.kv2';

/** Every possible mistake. */
const doubtful = withOthers(
  {
    id: 'identification',
    ...amber,
    values: {
      changed: [
        { name: 'softwareDate', before: '20150312', after: '20301231' },
        { name: 'vin', before: 'ZAR93900001234567', after: null },
      ],
    },
  },
  {
    id: 'checksums',
    ...amber,
    values: {
      isSkipped: true,
      rules: [{ rule: 'CALIBRATION', state: 'wrong', places: [] }],
    },
  },
  { id: 'cvn', ...amber, values: { ...cvn, willCorrect: true } },
  { id: 'identical', ...amber, values: { bytes: 0 } },
  {
    id: 'much-changed',
    ...amber,
    values: { bytes: 300_000, size: 524_288, fraction: 0.572, calibration: 0.5 },
  },
  {
    id: 'outside-calibration',
    ...amber,
    values: {
      ...inside,
      bytes: 1280,
      protectedBytes: 4,
      spans: [{ offset: 0x2_0000, length: 1280 }],
    },
  },
  {
    id: 'known-elsewhere',
    ...amber,
    values: {
      otherPart: null,
      count: 2,
      newest: {
        slotGUID: '01890000-0000-7000-8000-000000000001',
        readFileName: longName,
        slaveSerialNumber: 'KV2-000007',
        decodedOn: '2026-03-02T09:30:00.000Z',
      },
    },
  },
  { id: 'already-tuned', ...amber, values: { bytes: 2048 } },
);

const few = withOthers({
  id: 'outside-calibration',
  ...flash,
  status: 'amber',
  values: { ...inside, bytes: 12, protectedBytes: 0, spans: [{ offset: 0x2_0000, length: 12 }] },
});

const refused = { errorName: 'CHECKSUM_ERROR', cause: 'CHECKSUM_UNCORRECTABLE' };
const blocked = withOthers(
  {
    id: 'checksums',
    ...image,
    status: 'red',
    error: { ...refused, detail: 'BOOT-SIGNATURE' },
    values: null,
  },
  {
    id: 'outside-calibration',
    ...amber,
    values: { ...inside, bytes: 1, protectedBytes: 1, spans: [{ offset: 0x1000, length: 1 }] },
  },
);

const unchecked = {
  ...image,
  status: 'unchecked',
  reason: 'engine-does-not-report',
  values: null,
} as const;
/** A read of components: no library, and a protocol that knows little about two of them. */
const limited = [
  ...passed.filter(({ id }) => id !== 'already-tuned' && id !== 'checksums'),
  ...(['Micro', 'EEPROM'] as const).flatMap((part): PreflightCheck[] => {
    const own = { ...unchecked, part };
    return [
      { id: 'checksums', ...own, reason: 'no-scheme' },
      { id: 'outside-calibration', ...own, reason: 'no-areas' },
    ];
  }),
  { id: 'already-tuned', ...unchecked, reason: 'no-original-in-library' } as const,
];
const lost = withOthers(
  {
    id: 'overwritten',
    ...amber,
    values: {
      bytes: 64,
      spans: [{ offset: 0x2c800, length: 64 }],
      rules: ['CALIBRATION-COPY', 'CALIBRATION'],
    },
  },
  {
    id: 'identification',
    ...amber,
    values: { changed: [{ name: 'vin', before: 'ZAR93900001234567', after: null }] },
  },
  {
    id: 'outside-calibration',
    ...green,
    values: { ...inside, identificationBytes: 17, bytes: 0, protectedBytes: 0, spans: [] },
  },
  {
    id: 'original',
    ...amber,
    part: 'original',
    values: { bytes: 16, isModified: false, rules: [] },
  },
);
const allLost = withOthers({
  id: 'overwritten',
  ...image,
  status: 'red',
  error: { errorName: 'CHECKSUM_ERROR', cause: 'CHANGE_OVERWRITTEN', detail: 'CALIBRATION-COPY' },
  values: { bytes: 64, spans: [{ offset: 0x2c800, length: 64 }], rules: ['CALIBRATION-COPY'] },
});
/** An image of a real control unit, in which the protocol corrects nothing. */
const knownPart = { rules: 1, wrong: 0, wasWrong: false, isTableChanged: false } as const;
const knownWrong = withOthers({
  id: 'known-checksums',
  ...amber,
  values: {
    ...{ scheme: 'Bosch ME7', isProved: true, signature: null, lost: [], bytes: 0 },
    ...{ canCorrect: true, willCorrect: false },
    parts: [
      { ...knownPart, name: 'Main', state: 'right' },
      { ...knownPart, name: 'CRC', state: 'wrong', rules: 3, wrong: 1 },
      { ...knownPart, name: 'Multipoint 2', state: 'wrong', rules: 66, wrong: 2 },
    ],
  },
}).filter(({ id }) => id !== 'checksums');
const vendor = withOthers(
  { id: 'identification', ...unchecked },
  { id: 'checksums', ...unchecked },
  { id: 'overwritten', ...unchecked },
  { id: 'cvn', ...unchecked },
  { id: 'outside-calibration', ...unchecked },
);

const draft = { files: {}, removed: null, willCorrectCVN: false, willSkipChecksum: false };
const answerOf = (
  status: PreflightAnswer['status'],
  checks: readonly PreflightCheck[],
): PreflightAnswer => ({
  status,
  unchecked: checks.filter((check) => check.status === 'unchecked').length,
  draft,
  checks: [...checks],
});

/** A response for each state of the panel. */
export const preflights = {
  green: answerOf('green', passed),
  'one amber': answerOf('amber', few),
  'every amber': answerOf('amber', doubtful),
  'changes that are overwritten': answerOf('amber', lost),
  'nothing left of the change': answerOf('red', allLost),
  'checksums of a real control unit': answerOf('amber', knownWrong),
  limited: answerOf('green', limited),
  red: answerOf('red', blocked),
  'the engine of a vendor': answerOf('green', vendor),
} as const;
