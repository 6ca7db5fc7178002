/** Trays: their rows, the files that were not added, and the page. */
import { Refusal } from '@recodery/contract/refusal';
import type { PreflightAnswer } from '@recodery/contract/features/preflight';
import type { TrayFile } from '@recodery/contract/features/trays';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { page as kessv2 } from '../../src/features/recoding/families/kessv2.ts';
import { draftOfInputs, freshInputs } from '../../src/features/recoding/inputs.ts';
import { checksWith } from '../../src/features/recoding/preflight-answer.ts';
import type { Place } from '../../src/features/trays/match-modified.ts';
import { RecentTray } from '../../src/features/trays/recent-tray.tsx';
import { RowLimits } from '../../src/features/trays/row-limits.tsx';
import type { LoadedTray } from '../../src/features/trays/tray-query.ts';
import { LeaveTrayQuestion } from '../../src/features/trays/leave-tray.tsx';
import { TrayList } from '../../src/features/trays/tray-list.tsx';
import { TrayName } from '../../src/features/trays/tray-name.tsx';
import { TrayRow } from '../../src/features/trays/tray-row.tsx';
import {
  contextOf,
  type DecodedRow,
  type Row,
  type RowEncode,
  type RowImage,
  type RowState,
} from '../../src/features/trays/tray-rows.ts';
import { TrayView } from '../../src/features/trays/tray-view.tsx';
import { UnplacedFiles } from '../../src/features/trays/unplaced-files.tsx';
import { TrayPage } from '../../src/pages/trays/tray-page.tsx';
import { TraysPage } from '../../src/pages/trays/trays-page.tsx';
import { type Answer, broken, encodeOf, guidOf } from '../made/answers.ts';
import { preflights } from '../made/preflights.ts';
import { obd } from '../made/reads.ts';
import { Part, report, State } from '../state.tsx';

const now = new Date().toISOString();
const changes = { bytes: 424, regions: 26, size: 4096, fraction: 0.1, spans: [] };

function fileOf(number: number, name: string, differs: Partial<TrayFile> = {}): TrayFile {
  return {
    guid: guidOf(number),
    name,
    size: 4_194_304,
    sha256: null,
    workflow: 'kess3',
    error: null,
    slotGUID: null,
    decode: null,
    encode: null,
    images: [],
    draft: null,
    ...differs,
  };
}

function decodedState(encode: RowEncode, images: readonly RowImage[] = []): DecodedRow {
  const read = obd(kess3);
  const fresh = freshInputs(read);
  const files = images.flatMap(({ part, complete }) => (complete ? [[part.name, complete]] : []));
  const inputs = { ...fresh, parts: { ...fresh.parts, ...Object.fromEntries(files) } };
  return { at: 'decoded', page: kess3, read, inputs, images, encode };
}

function imageOf(name: string, refused: RowImage['refused'] = null): RowImage {
  const [part] = obd(kess3).parts;
  if (part === undefined) throw new Error('the read has no parts');
  const complete = {
    at: 'complete',
    file: { name, size: 4096 },
    fileGUID: guidOf(9),
    changes,
  } as const;
  return { part, complete: refused === null ? complete : null, job: null, refused };
}

const tuned = imageOf('KESS3_KS3-000042_9000_20261123-080000_stage1.bin');
const wrongSize = { kind: 'refused', thrown: new Refusal('KESS3_PATH_OR_FILE_NOT_FOUND') } as const;
const refused = imageOf('', {
  name: 'KESS3_KS3-000042_9000_20261123-080000_stage1.bin',
  fault: wrongSize,
});
const failure = {
  kind: 'failed',
  error: { errorName: 'FILE_CORRUPTED' },
  operationGUID: guidOf(8),
} as const;
const result = {
  name: 'KESS3_KS3-000042_9000.k3e',
  encodedFileURL: '/api/files/x',
  fileGUID: guidOf(7),
  size: 4_194_500,
  sha256: 'c'.repeat(64),
  correctedChecksums: 1,
  warnings: [],
  receiptCode: null,
};
const encoding = { at: 'encoding', fraction: 0.3, operationGUID: guidOf(6) } as const;
const encoded = { at: 'encoded', result, operationGUID: guidOf(6) } as const;

const states: readonly (readonly [name: string, state: RowState])[] = [
  ['missing', { at: 'missing' }],
  ['queued', { at: 'queued' }],
  ['uploading', { at: 'uploading', fraction: 0.4 }],
  ['decoding', { at: 'decoding', fraction: null }],
  ['failed', { at: 'failed', fault: failure }],
  ['decoded', decodedState({ at: 'none' })],
  ['ready', decodedState({ at: 'ready' }, [tuned])],
  ['a refused file', decodedState({ at: 'refused' }, [refused])],
  ['incomplete', decodedState({ at: 'missing' }, [tuned])],
  ['asks one', decodedState({ at: 'asked', answer: preflights['one amber'] }, [tuned])],
  ['asks everything', decodedState({ at: 'asked', answer: preflights['every amber'] }, [tuned])],
  ['blocked', decodedState({ at: 'blocked', answer: preflights.red }, [tuned])],
  ['waiting to be encoded', decodedState({ at: 'queued' }, [tuned])],
  ['encoding', decodedState(encoding, [tuned])],
  ['encoded', decodedState(encoded, [tuned])],
  ['not encoded', decodedState({ at: 'failed', fault: failure, operationGUID: null }, [tuned])],
];

const checkedRow = decodedState(encoded, [tuned]);
const encode = encodeOf(contextOf(checkedRow.read, checkedRow.inputs));
/** A file whose encode was preceded by these checks. */
const passed = (file: TrayFile, answer: PreflightAnswer, inputs = checkedRow.inputs): TrayFile => ({
  ...file,
  encode,
  limits: { draft: draftOfInputs(inputs), checks: [...checksWith('unchecked', answer)] },
});

const rows: readonly Row[] = states.map(([name, state], index) => {
  const file = fileOf(index + 10, `${name.replaceAll(' ', '-')}_KS3-000042_with_a_long_name.k3r`);
  const isStarted = name === 'encoding' || name === 'encoded';
  return { file: isStarted ? passed(file, preflights.limited) : file, state };
});

const rowsNamed = (...names: readonly string[]): readonly Row[] =>
  rows.filter((_, index) => names.includes(states[index]?.[0] ?? ''));

const placeOf = (fileGUID: string, readName: string, part: string): Place => ({
  fileGUID,
  readName,
  part,
  hasFile: false,
  image: { name: `${readName}.fls`, size: 4096, sha256: null },
});
const flash = placeOf(guidOf(1), 'bench-1.k3r', 'Flash');
const micro = placeOf(guidOf(1), 'bench-1.k3r', 'Micro');
const fileNamed = (name: string): File => new File(['x'], name);
const unplaced = [
  {
    key: '1',
    file: fileNamed('stage1.bin'),
    sha256: null,
    match: { at: 'asked', places: [flash, micro] },
  },
  {
    key: '2',
    file: fileNamed('bench-1.fls'),
    sha256: null,
    match: { at: 'identical', place: flash },
  },
  {
    key: '3',
    file: fileNamed('bench-1_mod.fls'),
    sha256: null,
    match: { at: 'size', place: flash },
  },
  { key: '4', file: fileNamed('holiday.bin'), sha256: null, match: { at: 'none' } },
  {
    key: '5',
    file: fileNamed('bench-1_v2.fls'),
    sha256: null,
    match: { at: 'asked', places: [{ ...flash, hasFile: true }] },
  },
] as const;

const loaded: LoadedTray = {
  tray: {
    guid: guidOf(100),
    name: 'Fleet of March',
    createdOn: now,
    parallelOperations: 3,
    files: [
      fileOf(1, 'bench-1.k3r'),
      fileOf(2, 'not-a-read.bin', { workflow: null, error: 'INVALID_FILE' }),
    ],
  },
  pages: new Map([
    ['kess3', kess3],
    ['kessv2', kessv2],
  ]),
};

const trayIs = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'trays', ''], ...answer },
];
const traysAre = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'trays', 'list'], ...answer },
];

const summary = {
  guid: guidOf(100),
  name: 'Fleet of March',
  createdOn: now,
  fileCount: 12,
  firstFileName: 'bench-1.k3r',
};

const view = {
  onEncodeAll: () => report('encode'),
  onRemove: ({ file }: Row) => report(`remove ${file.guid}`),
  onRemoveImage: (_: Row, part: string) => report(`remove ${part}`),
  onConfirm: ({ file }: Row) => report(`confirm ${file.name.split('_')[0]}`),
};

function Rows() {
  return (
    <Part file="features/trays/tray-row.tsx">
      {rows.map((row, index) => (
        <State key={row.file.guid} name={states[index]?.[0] ?? ''}>
          <ul>
            <TrayRow
              row={row}
              onRemove={() => report('remove')}
              onRemoveImage={(part) => report(`remove ${part}`)}
              onConfirm={() => report('confirm')}
              onSend={({ name }) => report(`send ${name}`)}
            />
          </ul>
        </State>
      ))}
    </Part>
  );
}

function Limits() {
  return (
    <Part file="features/trays/row-limits.tsx">
      <State name="three items">
        <RowLimits file={passed(fileOf(1, 'bench-1.k3r'), preflights.limited)} row={checkedRow} />
      </State>
      <State name="nothing">
        <RowLimits file={passed(fileOf(1, 'bench-1.k3r'), preflights.green)} row={checkedRow} />
      </State>
      <State name="other files">
        <RowLimits
          file={passed(fileOf(1, 'bench-1.k3r'), preflights.limited, freshInputs(checkedRow.read))}
          row={checkedRow}
        />
      </State>
    </Part>
  );
}

function Pages() {
  return (
    <Part file="pages/trays/tray-page.tsx">
      <State name="filled" at="/trays/x" isInLayout window={900} given={trayIs({ data: loaded })}>
        <TrayPage />
      </State>
      <State name="loading" at="/trays/x" isInLayout window={900}>
        <TrayPage />
      </State>
      <State
        name="not found"
        at="/trays/x"
        isInLayout
        window={900}
        given={trayIs({ thrown: new Refusal('NOT_FOUND') })}
      >
        <TrayPage />
      </State>
      <State
        name="network error"
        at="/trays/x"
        isInLayout
        window={900}
        given={trayIs({ thrown: broken })}
      >
        <TrayPage />
      </State>
    </Part>
  );
}

function ListParts() {
  return (
    <>
      <Part file="features/trays/tray-list.tsx">
        <State name="some">
          <TrayList
            trays={[summary, { ...summary, guid: guidOf(101), name: null }]}
            now={new Date(now)}
          />
        </State>
        <State name="none">
          <TrayList trays={[]} now={new Date(now)} />
        </State>
      </Part>
      <Part file="features/trays/tray-name.tsx">
        <State name="named">
          <TrayName tray={loaded.tray} />
        </State>
      </Part>
      <Part file="pages/trays/trays-page.tsx">
        <State
          name="filled"
          at="/trays"
          isInLayout
          window={640}
          given={traysAre({ data: [summary] })}
        >
          <TraysPage />
        </State>
        <State
          name="network error"
          at="/trays"
          isInLayout
          window={640}
          given={traysAre({ thrown: broken })}
        >
          <TraysPage />
        </State>
      </Part>
      <Part file="features/trays/leave-tray.tsx">
        <State name="two files" window={480}>
          <LeaveTrayQuestion
            count={2}
            onStay={() => report('stay')}
            onLeave={() => report('leave')}
          />
        </State>
      </Part>
    </>
  );
}

export function TrayParts() {
  return (
    <>
      <Rows />
      <Limits />
      <Part file="features/trays/tray-view.tsx">
        <State name="every state">
          <TrayView rows={rows} pausedFor={null} {...view} />
        </State>
        <State name="one file asks">
          <TrayView rows={rowsNamed('ready', 'asks one')} pausedFor={null} {...view} />
        </State>
        {(['quota', 'service', 'network'] as const).map((pausedFor) => (
          <State key={pausedFor} name={`waits for the ${pausedFor}`}>
            <TrayView rows={rows.slice(1, 2)} pausedFor={pausedFor} {...view} />
          </State>
        ))}
        <State name="empty">
          <TrayView rows={[]} pausedFor={null} {...view} />
        </State>
      </Part>
      <Part file="features/trays/unplaced-files.tsx">
        <State name="every reason">
          <UnplacedFiles
            files={unplaced}
            onPlace={({ key }, place) => report(`place ${key} ${place.part}`)}
            onDismiss={({ key }) => report(`dismiss ${key}`)}
          />
        </State>
      </Part>
      <Part file="features/trays/recent-tray.tsx">
        <State
          name="one"
          given={traysAre({
            data: [summary],
          })}
        >
          <RecentTray />
        </State>
        <State name="none" given={traysAre({ data: [] })}>
          <RecentTray />
        </State>
      </Part>
      <ListParts />
      <Pages />
    </>
  );
}
