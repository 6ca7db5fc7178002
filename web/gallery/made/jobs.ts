/** The jobs, files and storage that the gallery shows. */
import type { ComparableImage } from '@recodery/contract/features/comparison';
import type {
  FoundFile,
  Job,
  JobFile,
  JobSummary,
  StorageSettings,
} from '@recodery/contract/features/jobs/jobs';
import type { Sending } from '@recodery/contract/features/jobs/job-history';
import { Refusal } from '@recodery/contract/refusal';
import { guidOf } from './answers.ts';

export const now = new Date();
export const hoursAgo = (hours: number): string =>
  new Date(now.getTime() - hours * 3_600_000).toISOString();
export const sha256 = '3f107185fe5b8d182959f174ab20e941ec57930d58a1dc4a7a9ff4d9fe8afcbf';

export const summary: JobSummary = {
  slotGUID: guidOf(1),
  family: 'kess3',
  workflow: 'kess3',
  fileName: 'golf_stage_0.kess3',
  createdOn: hoursAgo(30),
  slaveSerialNumber: 'KS3-000042',
  vin: 'WVWZZZ1KZAW000123',
  protocolID: 1001,
  protocolName: 'REF-OBD-512K',
  engine: '2.0 TDI CR',
  hardware: '03L907309AE',
  software: '03L906018AB',
  userDisplayName: 'Anna Conti',
  isKept: true,
  customerLabel: 'Rossi',
  plate: 'AB 123 CD',
  vehicleMake: 'Volkswagen',
  vehicleModel: 'Golf 7 GTD',
  note: 'Customer wants more torque below 2000 rpm. Call before the DPF is touched.',
  encodedFiles: 2,
  state: 'decoded',
};
export const plain: JobSummary = {
  ...summary,
  slotGUID: guidOf(2),
  fileName: `a_read_file_with_${'a_very_long_name_'.repeat(5)}.bin`,
  vin: null,
  protocolID: null,
  protocolName: null,
  engine: null,
  userDisplayName: null,
  isKept: false,
  note: null,
  customerLabel: null,
  plate: null,
  vehicleMake: null,
  vehicleModel: null,
  encodedFiles: 0,
  state: 'failed',
};
/** With all badges, in the longest words. */
export const compacted: JobSummary = {
  ...summary,
  slotGUID: guidOf(3),
  workflow: 'kess3-utility',
  createdOn: '2025-12-28T12:00:00.000Z',
  state: 'decoding',
  encodedFiles: 123,
};
const file = (number: number, parts: Partial<JobFile>): JobFile => ({
  fileGUID: guidOf(100 + number),
  role: 'read',
  component: null,
  part: null,
  name: 'golf_stage_0.kess3',
  size: 524_288,
  sha256,
  createdOn: hoursAgo(30 - number),
  userDisplayName: 'Anna Conti',
  isThere: true,
  firstDownloadedOn: null,
  madeFrom: [],
  sentTo: null,
  sentOn: null,
  ...parts,
});
const sent: Sending = {
  notificationGUID: guidOf(400),
  requestedOn: hoursAgo(25),
  userDisplayName: 'Anna Conti',
  email: 'officina@demo.test',
  organisationName: 'Officina Demo',
  status: 'sent',
  failure: null,
  way: 'mail-server',
  sentOn: hoursAgo(25),
};
const modified = { role: 'modified', component: 'flash', part: 'Flash' } as const;
export const job: Job = {
  ...summary,
  mode: 'bootbench',
  groupCode: 'G-10',
  information: {
    vin: summary.vin,
    engine: summary.engine,
    hardware: summary.hardware,
    software: summary.software,
    softwareDate: '20150312',
    spare: null,
  },
  readChecksums: 'wrong',
  decodeOperationGUID: guidOf(9),
  isDecoding: false,
  notedBy: 'Anna Conti',
  notedOn: hoursAgo(20),
  expiresOn: null,
  files: [
    file(0, {}),
    file(1, { role: 'decoded', component: 'flash', name: 'KESS3_KS3-000042_1001.fls' }),
    file(1, { fileGUID: guidOf(150), role: 'id', name: 'KESS3_KS3-000042_1001.id', size: 476 }),
    file(2, { ...modified, name: 'stage1.fls', isThere: false }),
    file(3, { ...modified, name: 'stage2.fls' }),
    file(4, {
      role: 'encoded',
      name: 'KESS3_KS3-000042_1001.moc',
      madeFrom: [guidOf(103)],
      isOutdated: true,
      sendings: [sent],
      downloads: [
        { kind: 'link', name: 'officina@demo.test', downloadedOn: hoursAgo(20) },
        { kind: 'user', name: 'Anna Conti', downloadedOn: hoursAgo(26) },
      ],
      downloadCount: 2,
    }),
    file(5, {
      role: 'encoded',
      name: 'waiting.moc',
      sendings: [{ ...sent, status: 'waiting', way: null, sentOn: null }],
    }),
  ],
  restoreKit: { state: 'ready', reason: null, fileGUID: guidOf(7), fileName: 'x_as-read.moc' },
  otherJobs: [plain],
};
const undecoded: Job = {
  ...job,
  decodeOperationGUID: null,
  files: job.files.slice(0, 1),
  restoreKit: { state: 'impossible', reason: 'NOT_DECODED', fileGUID: null, fileName: null },
};
/** With an image that is kept as an original. */
export const withOriginal: Job = {
  ...job,
  files: job.files.map((one) => (one.role === 'decoded' ? { ...one, isOriginal: true } : one)),
};
const half = 0x40000;
/** With a modified file whose halves were exchanged as it came, and one that was saved as text. */
export const withRepair: Job = {
  ...job,
  files: [
    file(0, {}),
    file(2, { ...modified, name: 'halves.bin', replacedOn: hoursAgo(27) }),
    file(3, {
      ...modified,
      name: 'halves.bin',
      repaired: {
        fileGUID: guidOf(102),
        kind: 'pieces',
        details: {
          size: 2 * half,
          imageSize: 2 * half,
          pieces: [
            { from: 0, to: half, length: half },
            { from: half, to: 0, length: half },
          ],
        },
      },
    }),
    file(4, { ...modified, name: 'tune.hex', size: 1_443_000, replacedOn: hoursAgo(25) }),
    file(5, {
      ...modified,
      name: 'tune.bin',
      repaired: {
        fileGUID: guidOf(104),
        kind: 'intel-hex',
        details: { size: 1_443_000, imageSize: 2 * half },
      },
    }),
    file(6, {
      ...modified,
      name: 'old.bin',
      // by an earlier version, which kept no details
      repaired: { fileGUID: guidOf(102), kind: 'pieces', details: null },
    }),
  ],
};
/** The data that the page of a job loads, by state name. */
export const readings = {
  filled: { data: job },
  'being decoded': { data: { ...undecoded, isDecoding: true } },
  'not decoded': { data: undecoded },
  loading: {},
  deleted: { thrown: new Refusal('NOT_FOUND') },
};
export const found: readonly FoundFile[] = (
  ['encoded', 'decoded', 'restore', 'modified', 'original', 'read', 'id'] as const
).map((role, at) => ({
  fileGUID: guidOf(200 + at),
  role,
  name: 'file.bin',
  createdOn: hoursAgo(at),
  userDisplayName: 'Anna Conti',
  isThere: at % 2 === 0,
  slotGUID: at === 3 ? null : guidOf(1),
  family: 'kess3',
  workflow: 'kess3',
  fileName: at === 3 ? '…' : summary.fileName,
  slaveSerialNumber: 'KS3-000042',
}));
export const storage: StorageSettings = {
  usedBytes: 19.5 * 2 ** 30,
  spareBytes: 1.25 * 2 ** 30,
  organisationBytes: 20 * 2 ** 30,
  retentionDays: 365,
  defaultDays: 30,
  leastDays: 10,
  mostDays: 3650,
  jobs: 12_345,
  keptJobs: 12,
};

/** Images of the same size in other jobs. */
export const comparable: readonly ComparableImage[] = (['modified', 'decoded'] as const).map(
  (role, at) => ({
    fileGUID: guidOf(400 + at),
    role,
    component: 'flash',
    name: at === 0 ? 'stage2.fls' : `${'a_very_long_name_'.repeat(5)}.fls`,
    createdOn: hoursAgo(40 + at),
    slotGUID: guidOf(2),
    workflow: 'kess3',
    fileName: plain.fileName,
    vin: summary.vin,
    slaveSerialNumber: 'KS3-000042',
    encodedAs: at === 0 ? 'KESS3_KS3-000042_1001.moc' : null,
  }),
);
