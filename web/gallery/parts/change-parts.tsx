/** The change map and its parts. */
import { useState } from 'react';
import type { Comparison } from '@recodery/contract/features/comparison';
import { ChangeMap } from '../../src/features/change-map/change-map.tsx';
import { ChangeReport } from '../../src/features/change-map/change-report.tsx';
import { ChangeSummary } from '../../src/features/change-map/change-summary.tsx';
import { HexTable } from '../../src/features/change-map/hex-table.tsx';
import { HexView } from '../../src/features/change-map/hex-view.tsx';
import { MapView } from '../../src/features/change-map/map-view.tsx';
import { ChangeMapButton } from '../../src/features/change-map/open-change-map.tsx';
import { RegionList } from '../../src/features/change-map/region-list.tsx';
import { useVirtualScroll } from '../../src/features/change-map/use-virtual-scroll.ts';
import { VirtualRows } from '../../src/features/change-map/virtual-rows.tsx';
import { type Answer, broken } from '../made/answers.ts';
import {
  answersFor,
  few,
  identical,
  many,
  one,
  pair,
  scattered,
  shorter,
} from '../made/comparisons.ts';
import { Part, report, State } from '../state.tsx';

const facts = [
  { label: 'Slave', value: 'KV2-000007' },
  { label: 'VIN', value: null },
];
const close = (): void => report('close');
const jump = (offset: number): void => report(`jump ${offset}`);
const [, second = { offset: 0, length: 1, bytes: 1, kinds: [] }] = few.regions;
const region = { ...second, number: 1 };
const key = ['code', 'comparison', pair.before.fileGUID, pair.after.fileGUID, 0];

function Map({ name, given }: { readonly name: string; readonly given: readonly Answer[] }) {
  return (
    <State name={name} window={720} given={given}>
      <ChangeMap {...pair} component="Flash" facts={facts} onClose={close} />
    </State>
  );
}

/** A list with more rows than any browser can scroll. */
function ManyRows() {
  const view = useVirtualScroll(5_000_000, 20);
  const { ref, onScroll, scrollTo } = view;
  return (
    <>
      <button type="button" onClick={() => scrollTo(4_000_000)}>
        Row 4000000
      </button>
      <div
        ref={ref}
        // as in the lists that it is for
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="overflow-y-auto"
        style={{ height: 200 }}
        onScroll={onScroll}
      >
        <VirtualRows view={view}>{(row) => <p style={{ height: 20 }}>Row {row}</p>}</VirtualRows>
      </div>
    </>
  );
}

function AMap({ comparison }: { readonly comparison: Comparison }) {
  const [position, setPosition] = useState(0x524fc);
  return (
    <MapView
      {...{ pair, comparison, position, region }}
      onJump={(offset) => {
        setPosition(offset);
        jump(offset);
      }}
    />
  );
}

const target = { offset: region.offset };
const shown = { pair, comparison: few, region, target, onPosition: () => {} };

function HexParts() {
  return (
    <>
      <Part file="features/change-map/hex-view.tsx">
        <State name="a change" given={answersFor(few)}>
          <div className="grid" style={{ height: 512 }}>
            <HexView {...shown} onStep={(by) => report(`step ${by}`)} onJump={jump} />
          </div>
        </State>
      </Part>
      <Part file="features/change-map/hex-table.tsx">
        <State name="before above after" given={answersFor(few)}>
          <h2 id="bytes">Bytes</h2>
          <div className="flex flex-col" style={{ height: 288 }}>
            <HexTable
              {...shown}
              layout={{ bytes: 8, isSideBySide: false, hasCharacters: false, type: 'xs' }}
              labelledBy="bytes"
            />
          </div>
        </State>
        <State name="with characters" given={answersFor(few)}>
          <h2 id="bytes">Bytes</h2>
          <div className="flex flex-col" style={{ height: 288 }}>
            <HexTable
              {...shown}
              layout={{ bytes: 16, isSideBySide: true, hasCharacters: true, type: 'sm' }}
              labelledBy="bytes"
            />
          </div>
        </State>
        <State
          name="unreachable"
          given={[{ key: ['code', 'bytes', pair.after.fileGUID, 20], thrown: broken }]}
        >
          <h2 id="bytes">Bytes</h2>
          <div className="flex flex-col" style={{ height: 288 }}>
            <HexTable
              {...shown}
              layout={{ bytes: 16, isSideBySide: true, hasCharacters: true, type: 'sm' }}
              labelledBy="bytes"
            />
          </div>
        </State>
      </Part>
      <Part file="features/change-map/virtual-rows.tsx">
        <State name="five million rows">
          <ManyRows />
        </State>
      </Part>
    </>
  );
}

export function ChangeParts() {
  return (
    <>
      <Part file="features/change-map/change-map.tsx">
        <Map name="identical" given={answersFor(identical)} />
        <Map name="one region" given={answersFor(one)} />
        <Map name="a few regions" given={answersFor(few)} />
        <Map name="many regions" given={answersFor(many)} />
        <Map name="few bytes in many places" given={answersFor(scattered)} />
        <Map name="different sizes" given={answersFor(shorter)} />
        <Map name="loading" given={[]} />
        <Map name="unreachable" given={[{ key, thrown: broken }]} />
      </Part>
      <Part file="features/change-map/open-change-map.tsx">
        <State name="closed" window={720} given={answersFor(few)}>
          <ChangeMapButton {...pair} component="Flash" facts={facts} />
        </State>
      </Part>
      <Part file="features/change-map/change-summary.tsx">
        <State name="known areas">
          <ChangeSummary pair={pair} comparison={few} />
        </State>
        <State name="unknown areas">
          <ChangeSummary pair={pair} comparison={many} />
        </State>
      </Part>
      <Part file="features/change-map/map-view.tsx">
        <State name="a few regions" given={answersFor(few)}>
          <AMap comparison={few} />
        </State>
      </Part>
      <Part file="features/change-map/region-list.tsx">
        <State name="a few regions" given={answersFor(few)}>
          <div className="grid" style={{ height: 320 }}>
            <RegionList
              {...{ pair, comparison: few }}
              selected={region}
              onSelect={(number) => report(`select ${number}`)}
            />
          </div>
        </State>
      </Part>
      <HexParts />
      <Part file="features/change-map/change-report.tsx">
        <State name="print this frame" window={120}>
          <p>Only print shows it.</p>
          <ChangeReport {...{ pair, comparison: many, facts }} component="Flash" />
        </State>
      </Part>
    </>
  );
}
