/** Trays: their rows, the files that were not added, and the page. */
import { Refusal } from '@recodery/contract/refusal';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { freshInputs } from '../../src/features/recoding/inputs.ts';
import type { Place } from '../../src/features/trays/dropped/match-modified.ts';
import { RecentTray } from '../../src/features/trays/recent-tray.tsx';
import { RowLimits } from '../../src/features/trays/rows/row-limits.tsx';
import type { LoadedTray } from '../../src/features/trays/tray-query.ts';
import { LeaveTrayQuestion } from '../../src/features/trays/leave-tray.tsx';
import { TrayList } from '../../src/features/trays/tray-list.tsx';
import { TrayName } from '../../src/features/trays/tray-name.tsx';
import { SlaveButtons } from '../../src/features/trays/rows/slave-buttons.tsx';
import { TrayLine } from '../../src/features/trays/rows/tray-row.tsx';
import type { Row } from '../../src/features/trays/tray-rows.ts';
import { TrayView } from '../../src/features/trays/tray-view.tsx';
import { UnplacedFiles } from '../../src/features/trays/dropped/unplaced-files.tsx';
import { TrayPage } from '../../src/pages/trays/tray-page.tsx';
import { TraysPage } from '../../src/pages/trays/trays-page.tsx';
import { type Answer, broken, guidOf } from '../made/answers.ts';
import { preflights } from '../made/preflights.ts';
import {
  checkedRow,
  fileOf,
  passed,
  rows,
  rowsNamed,
  sealedAgo,
  states,
} from '../made/tray-rows.ts';
import { Part, report, State } from '../state.tsx';
import { kessv2 } from '../made/family-pages.ts';

const now = new Date().toISOString();
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

const sealedTray: LoadedTray = {
  ...loaded,
  tray: {
    ...loaded.tray,
    files: [13, 14, 25, 1].map((hours) =>
      fileOf(hours, `bench-${hours}.k3r`, { sealing: sealedAgo(hours) }),
    ),
  },
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
  onChooseSlave: (_: Row, slave: string) => report(`slave ${slave}`),
};

function Rows() {
  return (
    <Part file="features/trays/rows/tray-row.tsx">
      {rows.map((row, index) => (
        <State key={row.file.guid} name={states[index]?.[0] ?? ''}>
          <ul>
            <TrayLine
              row={row}
              onRemove={() => report('remove')}
              onRemoveImage={(part) => report(`remove ${part}`)}
              onConfirm={() => report('confirm')}
              onChooseSlave={(slave) => report(`slave ${slave}`)}
              onSend={({ name }) => report(`send ${name}`)}
            />
          </ul>
        </State>
      ))}
    </Part>
  );
}

function Slaves() {
  return (
    <Part file="features/trays/rows/slave-buttons.tsx">
      <State name="two slaves">
        <SlaveButtons
          slaves={['FLX-0001', 'FLX-0002']}
          fileName="golf.mmf"
          onChoose={(slave) => report(`slave ${slave}`)}
        />
      </State>
    </Part>
  );
}

function Limits() {
  return (
    <Part file="features/trays/rows/row-limits.tsx">
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
      <State
        name="files sealed some time ago"
        at="/trays/x"
        isInLayout
        window={900}
        given={trayIs({ data: sealedTray })}
      >
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
      <Slaves />
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
      <Part file="features/trays/dropped/unplaced-files.tsx">
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
