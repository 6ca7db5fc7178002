/** Operations and decode results as the server returns them, for the tests of the recoding page. */
import type { RecodErrorName } from '@recodery/contract/families/registry';
import {
  type Operation,
  type OperationError,
  operation as operationShape,
} from '@recodery/contract/features/operations';

/** A GUID that ends in a number. */
export const guid = (number: number): string =>
  `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

type Common = Exclude<keyof Operation, 'result' | 'error'>;
type Differs = { readonly [K in Common]?: Operation[K] } & {
  readonly result?: unknown;
  readonly error?: OperationError;
};

/** A running operation, with the given differences; throws if it violates the contract. */
export function operation(differs: Differs = {}): Operation {
  const own = differs.guid ?? guid(1);
  return operationShape.parse({
    guid: own,
    asyncOperationGUID: own,
    asyncOperationType: 'KESSv2Decode',
    slotGUID: guid(50),
    userFlow: 'D',
    contextData: null,
    status: 'running',
    isCompleted: false,
    isSuccessful: false,
    hasFailed: false,
    suggestedPollingInterval: 2,
    recommendedPollingInterval: 2,
    isUtility: false,
    startedOn: '2026-11-21T10:00:00.000Z',
    completedOn: null,
    progress: { stage: 'DECODING', fraction: 0.5 },
    result: null,
    error: null,
    ...differs,
  });
}

/** A successful operation. */
export function succeeded(result: unknown, differs: Differs = {}): Operation {
  return operation({
    status: 'succeeded',
    isCompleted: true,
    isSuccessful: true,
    completedOn: '2026-11-21T10:00:00.300Z',
    result,
    ...differs,
  });
}

/** A failed operation. */
export function failed(errorName: RecodErrorName, differs: Differs = {}): Operation {
  return operation({
    status: 'failed',
    isCompleted: true,
    hasFailed: true,
    completedOn: '2026-11-21T10:00:00.300Z',
    error: { errorName, detail: null },
    ...differs,
  });
}

const nothing = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, null]));
const file = (number: number) => `/api/files/${guid(number)}?ticket=t`;
const component = (type: string, number: number) => ({
  type,
  decodedFileURL: file(number),
  decodedFileName: `${type}.bin`,
  size: 4096,
});

export const kessv2Result = {
  kessv2SlotGUID: guid(50),
  name: 'KESSv2_KV2-000007',
  readFileName: 'read.kv2',
  readFileSize: 2_101_248,
  decodedFileURL: file(60),
  decodedFileName: 'read.bin',
  decodedFileSize: 4096,
  idFileURL: file(61),
  idFileName: 'read.id',
  wasOriginalFileFoundThroughVirtualReading: false,
  isOriginalFileNeeded: false,
  isChecksumCorrectionNeeded: false,
  isCVNCorrectionPossible: true,
  information: {
    ...nothing('protocolName', 'serialNumber', 'hardware', 'software', 'softwareUpgrade', 'spare'),
    ...nothing('softwareDate', 'imp', 'engine', 'vin', 'softwareVersion'),
    protocolID: '1001',
  },
  checksumRules: 3,
  warnings: [],
};

export const ktagResult = {
  ktagSlotGUID: guid(50),
  ktagSlotID: guid(50),
  name: 'KTAG',
  readFileName: 'backup.ktb',
  readFileSize: 3_149_824,
  decodedFileURL: `/ktag/slots/${guid(50)}/files/?fileType=All&ticket=t`,
  decodedFileName: 'components.zip',
  components: [component('flash', 71), component('eeprom', 73)],
  idFileURL: file(61),
  idFileName: 'backup.id',
  information: nothing(
    'PRT',
    'FAMILY',
    'SN',
    'HW',
    'SW',
    'SW upd',
    'Spare',
    'Impianto',
    'Engine',
    'VIN',
  ),
  checksumRules: 0,
  warnings: [],
};

export const bootBenchResult = {
  kess3FileSlotGUID: guid(50),
  name: 'KESS3',
  readFileName: 'bench.k3r',
  readFileSize: 6_400_000,
  idFileURL: file(61),
  idFileName: 'bench.id',
  obdDecodedFileURL: null,
  obdDecodedFileName: null,
  obdDecodedFileSize: null,
  decodedFileURL: `/kess3/slots/${guid(50)}/files/?fileType=All&ticket=t`,
  decodedFileName: 'components.zip',
  bootBenchComponents: [component('Flash', 71), component('Micro', 72), component('EEPROM', 73)],
  wasOriginalFileFoundThroughVirtualReading: false,
  obdIsOriginalFileNeeded: false,
  obdIsChecksumCorrectionNeeded: false,
  obdIsCVNCorrectionPossible: true,
  information: {
    ...nothing('Cks', 'Protocol', 'Family', 'HW', 'HW Ver.', 'SW', 'SW Ver.', 'SW upg.', 'Spare'),
    ...nothing('System', 'VIN', 'Engine', 'Recognized', 'SN', 'Customer Code', 'Group Code'),
    Mode: 'BootBench',
  },
  checksumRules: 3,
  warnings: [],
};

export const obdResult = {
  ...bootBenchResult,
  obdDecodedFileURL: file(60),
  obdDecodedFileName: 'obd.bin',
  obdDecodedFileSize: 4096,
  decodedFileURL: null,
  decodedFileName: null,
  bootBenchComponents: null,
  information: { ...bootBenchResult.information, Mode: 'OBD' },
};

export const encodedResult = {
  name: 'stage1.moc',
  encodedFileURL: file(90),
  fileGUID: guid(90),
  size: 4300,
  sha256: 'a'.repeat(64),
  receiptCode: '7K3M-9QXD-02HF-VT5B',
  correctedChecksums: 3,
  warnings: [],
};
