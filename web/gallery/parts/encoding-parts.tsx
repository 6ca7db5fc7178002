/** The encode step of a recoding page in all its states, for an image, an identification and components. */
import type { DecodedRead } from '../../src/features/recoding/decoded-read.ts';
import { DraftNewsPanel } from '../../src/features/recoding/encode/draft-news-panel.tsx';
import { EncodeActions } from '../../src/features/recoding/encode/encode-actions.tsx';
import type { Encode } from '../../src/features/recoding/flow/state/encode-flow.ts';
import { EncodeStep } from '../../src/features/recoding/encode/encode-step.tsx';
import { EncodeWaiting } from '../../src/features/recoding/encode/encode-waiting.tsx';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { JobSheet } from '../../src/features/recoding/encode/job-sheet.tsx';
import { freshInputs, type PartState } from '../../src/features/recoding/inputs.ts';
import { EncodeOutput } from '../../src/features/recoding/encode/encode-result.tsx';
import type { SendingNews } from '../../src/features/recoding/flow/state/flow-events.ts';
import { ReceiptLink } from '../../src/features/recoding/encode/receipt-link.tsx';
import { PrintButton } from '../../src/features/recoding/decode/print-button.tsx';
import { preflightKey } from '../../src/features/recoding/encode/use-preflight.ts';
import { BelowFile, PartFault } from '../../src/features/recoding/encode/other-files.tsx';
import { PartRow } from '../../src/features/recoding/encode/part-row.tsx';
import type { Recoding } from '../../src/features/recoding/flow/use-recoding.ts';
import { Opened } from '../opened.tsx';
import { preflights } from '../made/preflights.ts';
import {
  bench,
  codeChanged,
  corrupted,
  identification,
  lost,
  obd,
  offline,
  recodingOf,
  uploaded,
} from '../made/reads.ts';
import { Part, report, State } from '../state.tsx';
import { kessv2 } from '../made/family-pages.ts';

const file = { name: 'lettura_KV2-000007.kv2', size: 2_200_000 };
const earlier = {
  file: { name: 'stage1_flash_v2.fls', size: 4096 },
  fileGUID: 'v2',
  changes: null,
};
/** A part that is removed, and still has the file that was refused for it. */
const removedWithRefused = {
  at: 'removed',
  kept: { at: 'ready', refused: { file, fault: corrupted, isNoted: false } },
} as const;
const rowStates: Readonly<Record<string, PartState>> = {
  ready: { at: 'ready', refused: null },
  uploading: { at: 'uploading', attempt: 1, file, fraction: 0.42 },
  modified: uploaded('stage1_flash_v3.fls'),
  'modified, a long name': uploaded(`${'stage1_flash_of_the_customer_'.repeat(5)}v3.fls`),
  identical: uploaded('stage1.fls', { bytes: 0, regions: 0 }),
  resumed: uploaded('stage1.fls', null),
  removed: { at: 'removed', kept: null },
  'removed with a refused file': removedWithRefused,
  refused: { at: 'ready', refused: { file, fault: corrupted, isNoted: false } },
  'refused, its error closed': {
    at: 'ready',
    refused: { file, fault: corrupted, isNoted: true },
  },
  'not uploaded': { at: 'ready', refused: { file, fault: offline, isNoted: false } },
  'code changed': { at: 'ready', refused: { file, fault: codeChanged, isNoted: false } },
  'replaced by another file': { ...uploaded('stage1_flash_v3.fls'), previous: earlier },
  'another file was refused': {
    ...uploaded('stage1_flash_v3.fls'),
    refused: { file, fault: corrupted, isNoted: false },
  },
};

const reports: Readonly<Record<string, string>> = {
  'part-restored': 'restore',
  'part-refusal-cleared': 'dismiss',
  'part-undone': 'undo',
};

/** A read without its image: the modified file is compared with the uploaded original. */
const withOriginal = identification(kess3);
const originalPart = withOriginal.parts.find(({ name }) => name === 'modified');
const prepared = {
  at: 'preparing',
  inputs: recodingOf(withOriginal, { original: uploaded('stock.bin', null) }),
} as const;

/** Reports the actions of a row. */
const rowCommands: Partial<Recoding> = {
  choosePart: (name, file) => report(`${name} ${file.name}`),
  cancelPart: () => report('cancel'),
  removePart: () => report('remove'),
  repeatPart: () => {
    report('repeat');
    return true;
  },
  dispatch: ({ type }) => report(reports[type] ?? 'note'),
};

function Rows() {
  const part = bench(kess3).parts[0];
  return (
    <Part file="features/recoding/encode/part-row.tsx">
      {part &&
        Object.entries(rowStates).map(([name, state]) => (
          <State key={name} name={name}>
            <ul>
              <Opened commands={rowCommands}>
                <PartRow part={part} state={state} isFrozen={false} />
              </Opened>
            </ul>
          </State>
        ))}
      {originalPart && (
        <State name="compared with the original">
          <ul>
            <Opened page={kess3} flow={{ at: 'decoded', read: withOriginal, encode: prepared }}>
              <PartRow part={originalPart} state={uploaded('stage1.bin', null)} isFrozen={false} />
            </Opened>
          </ul>
        </State>
      )}
    </Part>
  );
}

/** What a row shows about files that it does not use. */
function OtherFiles() {
  const part = bench(kess3).parts[0];
  if (part === undefined) return null;
  return (
    <Part file="features/recoding/encode/other-files.tsx">
      <State name="removed">
        <Opened commands={rowCommands}>
          <BelowFile part={part} state={{ at: 'ready', refused: null, previous: earlier }} />
        </Opened>
      </State>
      <State name="refused">
        <Opened commands={rowCommands}>
          <PartFault part={part} fault={corrupted} onAnother={() => report('another')} />
        </Opened>
      </State>
    </Part>
  );
}

const on = '2026-11-21T14:02:00';
const by = 'Carla';

/** What others have changed. */
function News() {
  const dismiss = (): void => report('dismiss');
  return (
    <Part file="features/recoding/encode/draft-news-panel.tsx">
      <State name="a file">
        <DraftNewsPanel
          news={[{ kind: 'replaced', part: 'modified', by, on }]}
          now={new Date('2026-11-21T15:00:00')}
          onDismiss={dismiss}
        />
      </State>
      <State name="everything">
        <DraftNewsPanel
          news={[
            { kind: 'added', part: 'Flash', by, on },
            { kind: 'removed', part: 'Micro', by: null, on },
            { kind: 'overtaken', part: 'EEPROM', by, on },
            { kind: 'components', part: null, by, on },
            { kind: 'cvn', part: null, by, on },
            { kind: 'checksum', part: null, by, on },
            { kind: 'unsaved', part: 'Flash', by: null, on: null },
            { kind: 'unsaved', part: null, by: null, on: null },
          ]}
          now={new Date('2026-11-21T15:00:00')}
          onDismiss={dismiss}
        />
      </State>
    </Part>
  );
}

/** The states of an encode. */
function encodesOf(read: DecodedRead): Readonly<Record<string, Encode>> {
  const name = read.parts[0]?.name ?? '';
  const inputs = recodingOf(read, { [name]: uploaded('stage1_flash_v3.fls') });
  const plan = { source: 'parts', recipient: null, prepared: inputs, unused: null } as const;
  const result = {
    name: 'KESS3_KS3-000042_9000_20261121-095833.moc',
    encodedFileURL: '/api/files/0',
    fileGUID: null,
    size: 6_400_000,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    receiptCode: code,
    correctedChecksums: 3,
    warnings: [],
  };
  return {
    'nothing prepared': { at: 'preparing', inputs: freshInputs(read) },
    prepared: { at: 'preparing', inputs },
    encoding: { at: 'encoding', inputs, plan, operationGUID: 'operation', isResumed: false },
    encoded: { at: 'encoded', inputs, plan, operationGUID: 'operation', result, mailTo: null },
    sent: {
      at: 'sent',
      inputs,
      plan,
      operationGUID: 'operation',
      mailTo: 'garage@rossi.test',
      news: null,
      isResumed: false,
    },
    failed: { at: 'failed', inputs, plan, fault: corrupted },
    'failed, can be retried': { at: 'failed', inputs, plan, fault: offline },
    'failed, connection lost': { at: 'failed', inputs, plan, fault: lost },
    'failed, code changed': { at: 'failed', inputs, plan, fault: codeChanged },
    'a file was refused': {
      at: 'preparing',
      inputs: recodingOf(read, {
        [name]: { at: 'ready', refused: { file, fault: corrupted, isNoted: false } },
      }),
    },
    'a file was not uploaded': {
      at: 'preparing',
      inputs: recodingOf(read, {
        [name]: { at: 'ready', refused: { file, fault: offline, isNoted: false } },
      }),
    },
    'another file was refused': {
      at: 'preparing',
      inputs: recodingOf(read, {
        [name]: {
          ...uploaded('stage1_flash_v3.fls'),
          refused: { file, fault: corrupted, isNoted: false },
        },
      }),
    },
  };
}

/** Components of which one is removed, whose file was refused. */
function RemovedRefused() {
  const read = bench(kess3);
  const inputs = recodingOf(read, { Flash: removedWithRefused });
  const key = preflightKey(read.slotGUID, inputs);
  return (
    <State name="components, a removed one was refused" given={[{ key, data: preflights.green }]}>
      <Opened page={kess3} flow={{ at: 'decoded', read, encode: { at: 'preparing', inputs } }}>
        <EncodeStep />
      </Opened>
    </State>
  );
}

function EncodeParts() {
  const shown = [
    ['components', kess3, bench(kess3)],
    ['an image', kessv2, obd(kessv2)],
    ['identification only', kess3, identification(kess3)],
  ] as const;
  return (
    <>
      <Part file="features/recoding/encode/encode-step.tsx">
        {shown.flatMap(([kind, page, read]) =>
          Object.entries(encodesOf(read)).map(([name, encode]) => (
            <State
              key={kind + name}
              name={`${kind}, ${name}`}
              given={[{ key: preflightKey(read.slotGUID, encode.inputs), data: preflights.green }]}
            >
              <Opened page={page} flow={{ at: 'decoded', read, encode }}>
                <EncodeStep />
              </Opened>
            </State>
          )),
        )}
        <RemovedRefused />
      </Part>
      <Part file="features/recoding/decode/print-button.tsx">
        <State name="ready">
          <PrintButton />
        </State>
      </Part>
      <Part file="features/recoding/encode/receipt-link.tsx">
        <Receipts />
      </Part>
      <Part file="features/recoding/encode/encode-result.tsx">
        <Results />
      </Part>
      <Part file="features/recoding/encode/job-sheet.tsx">
        <State name="print this frame" window={120}>
          <div>
            <main>
              <div>
                <p>Only print shows it.</p>
                <Sheet />
              </div>
            </main>
          </div>
        </State>
      </Part>
      <Part file="features/recoding/encode/encode-waiting.tsx">
        <State name="nothing decoded yet">
          <EncodeWaiting />
        </State>
      </Part>
    </>
  );
}

const code = '7K3M-9QXD-02HF-VT5B';

function Receipts() {
  return (
    <>
      <State name="with a receipt">
        <ReceiptLink code={code} />
      </State>
      <State name="encoded before receipts existed">
        <ReceiptLink code={null} />
      </State>
    </>
  );
}

/** A sent file that expires. */
const sealed = {
  receiptCode: code,
  sealedOn: '2026-03-02T08:15:00.000Z',
  expiresOn: '2026-03-03T08:15:00.000Z',
};
const sentNews: SendingNews = {
  guid: 'operation',
  isSuccessful: true,
  message: 'stage1.slave',
  longMessage: 'golf.slave\nAT-000042',
  targetURL: null,
  targetURLFileName: null,
  errorCode: null,
  errorDetail: null,
  mail: null,
};

function Results() {
  const read = obd(kessv2);
  const encodes = encodesOf(read);
  const all = { ...encodes, 'sent and sealed': { ...encodes['sent'], news: sentNews } as Encode };
  return Object.entries(all).map(([name, encode]) => (
    <State key={name} name={name} given={[{ key: ['code', 'sent', 'operation'], data: sealed }]}>
      <Opened page={kessv2}>
        <EncodeOutput read={read} encode={encode} />
      </Opened>
    </State>
  ));
}

function Sheet() {
  const read = bench(kess3);
  const { encoded } = encodesOf(read);
  return (
    encoded && (
      <Opened>
        <JobSheet read={read} encode={encoded} />
      </Opened>
    )
  );
}

function Actions() {
  const read = obd(kessv2);
  const inputs = freshInputs(read);
  const modified = { at: 'uploading', attempt: 1, file, fraction: 0.42 } as const;
  const uploading = { ...inputs, parts: { ...inputs.parts, modified } };
  const states: Readonly<Record<string, Encode>> = {
    ...encodesOf(read),
    uploading: { at: 'preparing', inputs: uploading },
  };
  return Object.entries(states).map(([name, encode]) => (
    <State key={name} name={name}>
      <Opened page={kessv2}>
        <EncodeActions read={read} encode={encode} preflight={{ at: 'none' }} />
      </Opened>
    </State>
  ));
}

export function EncodingParts() {
  return (
    <>
      <Rows />
      <OtherFiles />
      <News />
      <EncodeParts />
      <Part file="features/recoding/encode/encode-actions.tsx">
        <Actions />
      </Part>
    </>
  );
}
