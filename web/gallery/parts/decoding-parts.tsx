/** The decode step of a recoding page in all its states, and the decoded read. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { Refusal } from '@recodery/contract/refusal';
import { DeviceChooser } from '../../src/features/devices/device-chooser.tsx';
import { BackToOldCode, UnderNewCode } from '../../src/features/recoding/notices/code-changed.tsx';
import * as ways from '../../src/features/recoding/notices/code-changed-actions.tsx';
import { DecodeStep } from '../../src/features/recoding/decode/decode-step.tsx';
import { DecodedBefore } from '../../src/features/recoding/decode/decoded-before.tsx';
import { DecodedPanel } from '../../src/features/recoding/decode/decoded-panel.tsx';
import { EngineDown } from '../../src/features/recoding/decode/engine-down.tsx';
import { FailedDecode } from '../../src/features/recoding/decode/failed-decode.tsx';
import { SlaveChoice } from '../../src/features/recoding/decode/slave-choice.tsx';
import { DownloadButton } from '../../src/features/recoding/decode/download-button.tsx';
import type { FamilyPage } from '../../src/features/recoding/families/family-page.ts';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { page as utility } from '../../src/features/recoding/families/kess3-utility.ts';
import { DoubleNote } from '../../src/features/recoding/notices/double-note.tsx';
import { FaultPanel } from '../../src/features/recoding/notices/fault-panel.tsx';
import { InformationPanel } from '../../src/features/recoding/decode/information-panel.tsx';
import { type Flow, idle } from '../../src/features/recoding/flow/state/recoding-flow.ts';
import type { Recoding } from '../../src/features/recoding/flow/use-recoding.ts';
import { Button } from '../../src/ui/actions/button.tsx';
import { type Answer, guidOf } from '../made/answers.ts';
import { Opened } from '../opened.tsx';
import {
  bench,
  codeChanged,
  corrupted,
  identification,
  lost,
  obd,
  offline,
} from '../made/reads.ts';
import { Part, report, State } from '../state.tsx';
import { kessv2, ktag } from '../made/family-pages.ts';

const file = { name: 'lettura_KV2-000007.kv2', size: 2_200_000 };
/** The engine is down. */
const down: Answer = { key: ['service-status'], data: { statusCode: 503 } };
/** The job of an earlier decode. */
const before: JobSummary = {
  slotGUID: guidOf(1),
  family: 'kess3',
  workflow: 'kess3',
  fileName: file.name,
  createdOn: '2025-11-14T10:02:00.000Z',
  slaveSerialNumber: 'KS3-000042',
  vin: null,
  protocolID: null,
  protocolName: null,
  engine: null,
  hardware: null,
  software: null,
  userDisplayName: 'Anna Conti',
  isKept: false,
  note: null,
  encodedFiles: 2,
};
const devices = [
  { groupCode: 'G-10', serialNumber: 'KS3-M-0001' },
  { groupCode: 'G-11', serialNumber: 'KS3-M-0002-WITH-A-VERY-LONG-SERIAL-NUMBER' },
];

function Decode({
  page = kessv2,
  flow = idle,
  commands = {},
}: {
  page?: FamilyPage;
  flow?: Flow | undefined;
  commands?: Partial<Recoding>;
}) {
  return (
    <Opened page={page} flow={flow} commands={commands}>
      <DecodeStep otherDevices={devices} onLetFileDecide={() => report('the file decides')} />
    </Opened>
  );
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
  'connection lost': { at: 'failed', file, fault: lost, goesTo: null },
  'code changed in another tab': { at: 'failed', file, fault: codeChanged, goesTo: null },
};

function DecodeSteps() {
  return (
    <Part file="features/recoding/decode/decode-step.tsx">
      {Object.entries(decodes).map(([name, flow]) => (
        <State key={name} name={name}>
          <Decode flow={flow} />
        </State>
      ))}
      <State name="closed, the engine is down" given={[down]}>
        <Decode />
      </State>
      <State name="not uploaded, the engine is down" given={[down]}>
        <Decode
          flow={{ at: 'failed', file, fault: offline, goesTo: null }}
          commands={{ heldFile: () => new File([], file.name) }}
        />
      </State>
      <State name="opens on another page, the engine is down" given={[down]}>
        <Decode flow={decodes['opens on another page']} />
      </State>
      <State name="utility, with its switch">
        <Decode page={utility} />
      </State>
    </Part>
  );
}

const needsSlave: Extract<Flow, { at: 'failed' }> = {
  at: 'failed',
  file,
  fault: {
    kind: 'refused',
    thrown: new Refusal('SLAVE_NEEDED', { slaves: ['MM-000007', 'MM-000042'] }),
  },
  goesTo: null,
};
const held: Partial<Recoding> = {
  heldFile: () => new File([], file.name),
  repeatRead: (slave) => report(slave ?? 'the same'),
};

/** What a failed decode and a refused upload offer. */
function Failures() {
  return (
    <>
      <Part file="features/recoding/decode/failed-decode.tsx">
        <State name="asks for the slave">
          <Opened page={kessv2} flow={needsSlave} commands={held}>
            <FailedDecode flow={needsSlave} otherDevices={[]} onLetFileDecide={() => undefined} />
          </Opened>
        </State>
      </Part>
      <Part file="features/recoding/decode/slave-choice.tsx">
        <State name="closed">
          <Opened page={kessv2} flow={needsSlave} commands={held}>
            <SlaveChoice fault={needsSlave.fault} isDisabled />
          </Opened>
        </State>
      </Part>
      <Part file="features/recoding/decode/engine-down.tsx">
        <State name="down">
          <EngineDown />
        </State>
      </Part>
    </>
  );
}

function Before() {
  return (
    <Part file="features/recoding/decode/decoded-before.tsx">
      {Object.entries({
        'by a user': before,
        'by no one who is left': { ...before, userDisplayName: null, encodedFiles: 0 },
      }).map(([name, job]) => (
        <State
          key={name}
          name={name}
          given={[{ key: ['code', 'earlier-reads', name], data: [job] }]}
        >
          <DecodedBefore slotGUID={name} isNews />
        </State>
      ))}
    </Part>
  );
}

function DecodeParts() {
  return (
    <>
      <Part file="features/devices/device-chooser.tsx">
        {(['automatic', 'chosen', 'a long serial number'] as const).map((name, at) => (
          <State key={name} name={name}>
            <DeviceChooser
              devices={devices}
              device={devices[at - 1] ?? null}
              initial={devices[0] ?? null}
              onChoose={(device) => report(device?.serialNumber ?? 'the file decides')}
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
            <Opened page={page}>
              <DecodedPanel read={read} />
            </Opened>
          </State>
        ))}
      </Part>
      <Before />
      <Part file="features/recoding/decode/information-panel.tsx">
        <State name="a value that is wrong">
          <Opened>
            <InformationPanel
              read={{ ...bench(kess3), information: [{ label: 'Cks', value: 'KO' }] }}
            />
          </Opened>
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

export function DecodingParts() {
  return (
    <>
      <DecodeParts />
      <DecodeSteps />
      <Failures />
      <Part file="features/recoding/notices/double-note.tsx">
        <State name="a page of the demo">
          <DoubleNote family="bflash" />
        </State>
      </Part>
      <Part file="features/recoding/notices/code-changed.tsx">
        <State name="both ways">
          <Opened>
            <UnderNewCode />
            <ways.UnderNewCode />
          </Opened>
          <BackToOldCode />
          <ways.BackToOldCode />
        </State>
      </Part>
    </>
  );
}
