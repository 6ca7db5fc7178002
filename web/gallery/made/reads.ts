/** Fixed reads and flows of the recoding page, from which the gallery renders the steps. */
import { Refusal } from '@recodery/contract/refusal';
import type { Changes } from '@recodery/contract/features/recoding/recoding';
import { useState } from 'react';
import type { DecodedRead, FileLink, Part } from '../../src/features/recoding/decoded-read.ts';
import type { FamilyPage } from '../../src/features/recoding/families/family-page.ts';
import type { Fault } from '../../src/features/recoding/fault.ts';
import {
  type CompletePart,
  freshInputs,
  type Inputs,
  type SettledPart,
} from '../../src/features/recoding/inputs.ts';
import { type Flow, recodingFlow } from '../../src/features/recoding/flow/state/recoding-flow.ts';
import type { Recoding } from '../../src/features/recoding/flow/use-recoding.ts';
import { broken, guidOf } from './answers.ts';
import { report } from '../state.tsx';

const MiB = 1024 * 1024;

const link = (name: string, size: number): FileLink => ({ name, size, url: `/api/files/${name}` });

function component(name: string, extension: string, size: number): Part {
  const decoded = link(`bench_KS3-000042${extension}`, size);
  const startsRemoved = name === 'EEPROM';
  return { name, isNeeded: false, isRemovable: true, startsRemoved, decoded };
}

const image: Part = {
  name: 'modified',
  isNeeded: true,
  isRemovable: false,
  startsRemoved: false,
  decoded: link('lettura.mod', 2 * MiB),
};

/** A value for each line of a page's panel. */
function informationOf(page: FamilyPage): DecodedRead['information'] {
  const values = ['REF0261A1', '03', 'REF1037001', '0002', null, 'REF906070A', '2.0 L R4'];
  return page.information.map(({ name, as }, at) => ({
    label: name,
    value: as === 'check' ? 'OK' : (values[at % values.length] ?? null),
  }));
}

/** A BootBench read of four components. */
export function bench(page: FamilyPage): DecodedRead {
  return {
    operationGUID: 'decode',
    slotGUID: 'slot',
    readFile: { name: 'bench_KS3-000042.k3r', size: 6.1 * MiB },
    duration: 312,
    information: informationOf(page),
    idFile: link('bench_KS3-000042.id', 2048),
    shape: 'components',
    decodedFile: link('components.zip', 6 * MiB),
    arrivesByItself: false,
    parts: [
      component('Flash', '.fls', 4 * MiB),
      component('Micro', '.mpc', 2 * MiB),
      component('EEPROM', '.epr', 64 * 1024),
      component('MapFile', '.map', 18 * 1024),
    ],
    isCVNCorrectionPossible: true,
    isReencodePossible: false,
    wasOriginalFoundThroughVirtualReading: false,
    recognized: [],
    checksumRules: 3,
    warnings: [],
  };
}

/** A read of one image that can be encoded again. */
export function obd(page: FamilyPage): DecodedRead {
  return {
    ...bench(page),
    readFile: { name: 'lettura_KV2-000007.kv2', size: 2.1 * MiB },
    shape: 'image',
    decodedFile: link('lettura_KV2-000007.mod', 2 * MiB),
    arrivesByItself: true,
    parts: [image],
    isReencodePossible: true,
  };
}

/** An identification-only read, which requires the original; with very long names. */
export function identification(page: FamilyPage): DecodedRead {
  const name = `${'Volkswagen_Golf_VII_2.0_TDI_EDC17C64_ORIGINAL_'.repeat(3)}identification.kv2`;
  return {
    ...obd(page),
    readFile: { name, size: 2048 },
    duration: null,
    information: informationOf(page).map(({ label, value }) => ({
      label,
      value: value === 'OK' ? value : 'EDC17C64_P1296.C73.V6.0.0/REF0261S09098',
    })),
    decodedFile: null,
    parts: [
      { ...image, decoded: null },
      { ...image, name: 'original', decoded: null },
    ],
    isReencodePossible: false,
    wasOriginalFoundThroughVirtualReading: true,
    warnings: ['FILE_DECODED_WITH_CHECKSUM_ERROR'],
  };
}

export const changes: Changes = {
  bytes: 424,
  regions: 26,
  size: 4 * MiB,
  fraction: 0.0001,
  spans: [
    { offset: 750_000, length: 40_000 },
    { offset: 1_700_000, length: 90_000 },
    { offset: 1_900_000, length: 120_000 },
    { offset: 3_230_000, length: 60 },
  ],
};

/** A finished upload. */
export function uploaded(name: string, differs: Partial<Changes> | null = {}): CompletePart {
  return {
    at: 'complete',
    file: { name, size: 4 * MiB },
    fileGUID: 'file',
    changes: differs && { ...changes, ...differs },
  };
}

/** The inputs of a read with some parts prepared. */
export function recodingOf(
  read: DecodedRead,
  parts: Readonly<Record<string, SettledPart>>,
): Inputs<SettledPart> {
  const fresh = freshInputs(read);
  return { ...fresh, parts: { ...fresh.parts, ...parts } };
}

export const corrupted: Fault = {
  kind: 'failed',
  error: { errorName: 'FILE_CORRUPTED', detail: null },
  operationGUID: 'operation',
};

/** The connection to the server was lost. */
export const offline: Fault = { kind: 'refused', thrown: broken };

/** The operation may still be running, but the page can no longer ask about it. */
export const lost: Fault = { kind: 'lost', operationGUID: guidOf(0) };

/** Another tab has changed the customer code. */
export const codeChanged: Fault = {
  kind: 'refused',
  thrown: new Refusal('CUSTOMER_CODE_CHANGED'),
};

/** The page's state without a server: events change it, uploads stay in progress. */
export function useStill(beginning: Flow): Recoding {
  const [flow, setFlow] = useState(beginning);
  const dispatch: Recoding['dispatch'] = (event) =>
    setFlow((before) => recodingFlow(before, event));
  const labelOf = ({ name, size }: File) => ({ name, size });
  return {
    flow,
    dispatch,
    heldFile: () => null,
    chooseRead: (file) =>
      dispatch({ type: 'read-chosen', attempt: 1, file: labelOf(file), isEngineUp: true }),
    cancelRead: () => dispatch({ type: 'read-canceled' }),
    choosePart: (part, file) =>
      dispatch({ type: 'part-chosen', part, attempt: 1, file: labelOf(file), isEngineUp: true }),
    placePart: (part, file) => {
      report(`place ${part} ${file.name}`);
      dispatch({ type: 'part-chosen', part, attempt: 1, file, isEngineUp: true });
    },
    cancelPart: (part) => dispatch({ type: 'part-canceled', part }),
    removePart: (part, isRemoved) => dispatch({ type: 'part-removed', part, isRemoved }),
    encode: (source) => {
      report(`encode ${source}`);
      dispatch({ type: 'encode-asked', source, attempt: 1 });
    },
    confirmSend: (recipient) => dispatch({ type: 'send-confirmed', recipient, attempt: 1 }),
    repeatRead: () => dispatch({ type: 'retried' }),
    repeatPart: (part) => {
      dispatch({ type: 'part-refusal-cleared', part });
      return true;
    },
    repeatEncode: () => dispatch({ type: 'encode-repeated', attempt: 1 }),
    reset: () => {
      report('reset');
      dispatch({ type: 'reset' });
    },
  };
}
