/** The recoding page's steps in all their states, for an image, an identification and components. */
import { Refusal } from '@recodery/contract/errors';
import { DeviceChooser } from '../src/features/devices/device-chooser.tsx';
import { BackToOldCode, UnderNewCode } from '../src/features/recoding/notices/code-changed.tsx';
import * as ways from '../src/features/recoding/notices/code-changed-ways.tsx';
import { DecodeStep } from '../src/features/recoding/decode/decode-step.tsx';
import { DecodedPanel } from '../src/features/recoding/decode/decoded-panel.tsx';
import type { DecodedRead } from '../src/features/recoding/decoded-read.ts';
import { DownloadButton } from '../src/features/recoding/decode/download-button.tsx';
import { EncodeActions } from '../src/features/recoding/encode/encode-actions.tsx';
import type { Encode } from '../src/features/recoding/flow/encode-flow.ts';
import { EncodeStep } from '../src/features/recoding/encode/encode-step.tsx';
import { EncodeWaiting } from '../src/features/recoding/encode/encode-waiting.tsx';
import type { FamilyPage } from '../src/features/recoding/families/family-page.ts';
import { page as kess3 } from '../src/features/recoding/families/kess3.ts';
import { page as utility } from '../src/features/recoding/families/kess3-utility.ts';
import { page as kessv2 } from '../src/features/recoding/families/kessv2.ts';
import { page as ktag } from '../src/features/recoding/families/ktag.ts';
import { FaultPanel } from '../src/features/recoding/notices/fault-panel.tsx';
import { JobSheet } from '../src/features/recoding/encode/job-sheet.tsx';
import { InformationPanel } from '../src/features/recoding/decode/information-panel.tsx';
import { freshInputs, type PartState } from '../src/features/recoding/inputs.ts';
import { EncodeResult } from '../src/features/recoding/encode/encode-result.tsx';
import { PrintButton } from '../src/features/recoding/decode/print-button.tsx';
import { PartRow } from '../src/features/recoding/encode/part-row.tsx';
import { type Flow, idle } from '../src/features/recoding/flow/recoding-flow.ts';
import { Button } from '../src/ui/button.tsx';
import {
  bench,
  corrupted,
  offline,
  entry,
  identification,
  laidOut,
  obd,
  uploaded,
  useStill,
} from './reads.ts';
import { Part, report, State } from './stage.tsx';

const file = { name: 'lettura_KV2-000007.kv2', size: 2_200_000 };
const devices = [
  { groupCode: 'G-10', serialNumber: 'KS3-M-0001' },
  { groupCode: 'G-11', serialNumber: 'KS3-M-0002-WITH-A-VERY-LONG-SERIAL-NUMBER' },
];

interface StepProps {
  readonly page: FamilyPage;
  readonly flow: Flow;
  readonly isEngineUp?: boolean;
}

function Decode({ page, flow, isEngineUp = true }: StepProps) {
  return (
    <DecodeStep
      page={page}
      entry={entry}
      recoding={useStill(flow)}
      isEngineUp={isEngineUp}
      maxFileBytes={64 * 1024 * 1024}
      otherDevices={devices}
      onChooseDevice={({ serialNumber }) => report(serialNumber)}
    />
  );
}

function Encoding({ page, flow, isEngineUp = true }: StepProps) {
  return <EncodeStep page={page} entry={entry} recoding={useStill(flow)} isEngineUp={isEngineUp} />;
}

const decodes: Readonly<Record<string, Flow>> = {
  choosing: idle,
  uploading: { at: 'uploading', attempt: 1, file, fraction: 0.42 },
  decoding: { at: 'decoding', operationGUID: 'operation', file, isResumed: false },
  'file corrupted': { at: 'failed', file, fault: corrupted, goesTo: null },
  'opens on another page': {
    at: 'failed',
    file,
    fault: { kind: 'refused', thrown: new Refusal('FILE_IS_KTAG_BACKUP') },
    goesTo: 'ktag',
  },
  "another group's slave": {
    at: 'failed',
    file,
    fault: {
      kind: 'failed',
      error: { errorName: 'WRONG_MASTER_CODE', detail: 'G-11' },
      operationGUID: 'operation',
    },
    goesTo: null,
  },
  'connection lost': {
    at: 'failed',
    file,
    fault: { kind: 'lost', operationGUID: '01890000-0000-7000-8000-000000000000' },
    goesTo: null,
  },
  'code changed in another tab': {
    at: 'failed',
    file,
    fault: { kind: 'refused', thrown: new Refusal('CUSTOMER_CODE_CHANGED') },
    goesTo: null,
  },
};

function DecodeSteps() {
  return (
    <Part file="features/recoding/decode/decode-step.tsx">
      {Object.entries(decodes).map(([name, flow]) => (
        <State key={name} name={name}>
          <Decode page={kessv2} flow={flow} />
        </State>
      ))}
      <State name="closed, the engine is down">
        <Decode page={kessv2} flow={idle} isEngineUp={false} />
      </State>
      <State name="utility, with its switch">
        <Decode page={utility} flow={idle} />
      </State>
    </Part>
  );
}

function DecodeParts() {
  return (
    <>
      <Part file="features/devices/device-chooser.tsx">
        {[0, 1].map((at) => (
          <State key={at} name={at === 0 ? 'chosen' : 'a long serial number'}>
            <DeviceChooser
              devices={devices}
              device={devices[at] ?? null}
              onChoose={({ serialNumber }) => report(serialNumber)}
            />
          </State>
        ))}
      </Part>
      <Part file="features/recoding/decode/decoded-panel.tsx">
        {(
          [
            ['BootBench', kess3, bench(kess3)],
            ['an image', kessv2, obd(kessv2)],
            ['identification only, long values', kess3, identification(kess3)],
            ['K-TAG', ktag, bench(ktag)],
          ] as const
        ).map(([name, page, read]) => (
          <State key={name} name={name}>
            <DecodedPanel page={page} read={read} onReset={() => report('reset')} />
          </State>
        ))}
      </Part>
      <Part file="features/recoding/decode/information-panel.tsx">
        <State name="a value that is wrong">
          <InformationPanel
            fields={kess3.information}
            read={{ ...bench(kess3), information: [{ label: 'Cks', value: 'KO' }] }}
          />
        </State>
      </Part>
      <Part file="features/recoding/decode/download-button.tsx">
        <State name="ready">
          <DownloadButton link={{ name: 'a', size: 1, url: '/' }} operationGUID="operation">
            Download ID
          </DownloadButton>
        </State>
      </Part>
      <Part file="features/recoding/notices/fault-panel.tsx">
        <State name="with an action">
          <FaultPanel fault={corrupted} actions={<Button look="primary">Try again</Button>} />
        </State>
      </Part>
    </>
  );
}

const rowStates: Readonly<Record<string, PartState>> = {
  ready: { at: 'ready', refused: null },
  uploading: { at: 'uploading', attempt: 1, file, fraction: 0.42 },
  modified: uploaded('stage1_flash_v3.fls'),
  'modified, a long name': uploaded(`${'stage1_flash_of_the_customer_'.repeat(5)}v3.fls`),
  identical: uploaded('stage1.fls', { bytes: 0, regions: 0 }),
  'many changes': uploaded('stage1.fls', { fraction: 0.64 }),
  resumed: uploaded('stage1.fls', null),
  removed: { at: 'removed', kept: null },
  refused: { at: 'ready', refused: { file, fault: corrupted, isNoted: false } },
  'refused, its error closed': {
    at: 'ready',
    refused: { file, fault: corrupted, isNoted: true },
  },
  'not uploaded': { at: 'ready', refused: { file, fault: offline, isNoted: false } },
};

function Rows() {
  const part = bench(kess3).parts[0];
  return (
    <Part file="features/recoding/encode/part-row.tsx">
      {part &&
        Object.entries(rowStates).map(([name, state]) => (
          <State key={name} name={name}>
            <ul>
              <PartRow
                part={part}
                state={state}
                isFrozen={false}
                isEngineUp
                onFile={(name, { name: fileName }) => report(`${name} ${fileName}`)}
                onCancel={() => report('cancel')}
                onRestore={() => report('restore')}
                onNote={() => report('note')}
                onRemove={() => report('remove')}
                onRepeat={() => report('repeat')}
              />
            </ul>
          </State>
        ))}
    </Part>
  );
}

/** Where an encode of a read can stand. */
function encodesOf(read: DecodedRead): Readonly<Record<string, Encode>> {
  const name = read.parts[0]?.name ?? '';
  const inputs = laidOut(read, { [name]: uploaded('stage1_flash_v3.fls') });
  const plan = { source: 'parts', recipient: null, prepared: inputs } as const;
  const result = {
    name: 'KESS3_KS3-000042_9000_20261121-095833.moc',
    encodedFileURL: '/api/files/0',
    fileGUID: null,
    size: 6_400_000,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    correctedChecksums: 3,
    warnings: [],
  };
  return {
    'nothing prepared': { at: 'preparing', inputs: freshInputs(read) },
    prepared: { at: 'preparing', inputs },
    encoding: { at: 'encoding', inputs, plan, operationGUID: 'operation', isResumed: false },
    encoded: { at: 'encoded', inputs, operationGUID: 'operation', result },
    sent: {
      at: 'sent',
      inputs,
      plan,
      operationGUID: 'operation',
      mailTo: 'garage@rossi.test',
      news: null,
    },
    failed: { at: 'failed', inputs, plan, fault: corrupted },
    'failed, can be retried': { at: 'failed', inputs, plan, fault: offline },
    'a file was refused': {
      at: 'preparing',
      inputs: laidOut(read, {
        [name]: { at: 'ready', refused: { file, fault: corrupted, isNoted: false } },
      }),
    },
  };
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
            <State key={kind + name} name={`${kind}, ${name}`}>
              <Encoding page={page} flow={{ at: 'decoded', read, encode }} />
            </State>
          )),
        )}
      </Part>
      <Part file="features/recoding/decode/print-button.tsx">
        <State name="ready">
          <PrintButton />
        </State>
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

function Results() {
  const read = obd(kessv2);
  const recoding = useStill(idle);
  return Object.entries(encodesOf(read)).map(([name, encode]) => (
    <State key={name} name={name}>
      <EncodeResult page={kessv2} read={read} encode={encode} recoding={recoding} />
    </State>
  ));
}

function Sheet() {
  const read = bench(kess3);
  const { encoded } = encodesOf(read);
  return encoded && <JobSheet page={kess3} read={read} encode={encoded} />;
}

function Actions() {
  const read = obd(kessv2);
  const recoding = useStill(idle);
  return Object.entries(encodesOf(read)).map(([name, encode]) => (
    <State key={name} name={name}>
      <EncodeActions page={kessv2} entry={entry} recoding={recoding} read={read} encode={encode} />
    </State>
  ));
}

function NewCode() {
  const recoding = useStill(idle);
  return (
    <>
      <UnderNewCode page={kess3} recoding={recoding} />
      <ways.UnderNewCode page={kess3} recoding={recoding} />
    </>
  );
}

export function RecodingParts() {
  return (
    <>
      <DecodeParts />
      <DecodeSteps />
      <Rows />
      <EncodeParts />
      <Part file="features/recoding/encode/encode-actions.tsx">
        <Actions />
      </Part>
      <Part file="features/recoding/notices/code-changed.tsx">
        <State name="both ways">
          <NewCode />
          <BackToOldCode />
          <ways.BackToOldCode />
        </State>
      </Part>
    </>
  );
}
