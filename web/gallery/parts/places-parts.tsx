/** The dialogs that find the parts of dropped files, and the area that takes the files. */
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import type { DecodedRead } from '../../src/features/recoding/decoded-read.ts';
import type {
  FoundImage,
  FoundImages,
  MisfitFile,
  Reason,
} from '../../src/features/recoding/encode/dropped-files/inspect-files.ts';
import { OwnPlaceDialog } from '../../src/features/recoding/encode/dropped-files/own-place-dialog.tsx';
import type { OwnPlace } from '../../src/features/recoding/encode/dropped-files/place-rules.ts';
import {
  ChooseFiles,
  PlacesArea,
} from '../../src/features/recoding/encode/dropped-files/places-area.tsx';
import { PlacesDialog } from '../../src/features/recoding/encode/dropped-files/places-dialog.tsx';
import { PlacesReview } from '../../src/features/recoding/encode/dropped-files/places-review.tsx';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import type { Recoding } from '../../src/features/recoding/flow/use-recoding.ts';
import { freshInputs } from '../../src/features/recoding/inputs.ts';
import { Panel } from '../../src/ui/display/panel.tsx';
import { broken } from '../made/answers.ts';
import { Opened } from '../opened.tsx';
import { bench, identification, recodingOf, uploaded } from '../made/reads.ts';
import { Part, report, State } from '../state.tsx';

const benchRead = bench(kess3);
const imageRead = identification(kess3);

/** The parts of a read, each with an image of this kind to compare with. */
function partsOf(read: DecodedRead, of: 'decoded' | 'original' | null): PartFingerprint[] {
  return read.parts.map(({ name, decoded }) => {
    const size = decoded?.size ?? 2 * 2 ** 20;
    const sizes = name === 'MapFile' ? { min: 48, max: 65_536 } : [size];
    const fingerprint = of && { of, size, blockBytes: 16, sums: [] };
    return { part: name, sizes, fingerprint };
  });
}

/** A file of 2 MiB, without its bytes. */
function fileOf(name: string): File {
  const file = new File([], name);
  Object.defineProperty(file, 'size', { value: 2 * 2 ** 20 });
  return file;
}

function imageOf(
  id: number,
  name: string,
  likeness: Readonly<Record<string, number | null>>,
  from: string | null = null,
): FoundImage {
  return { id, name, file: fileOf(name), from, likeness: new Map(Object.entries(likeness)) };
}

function misfitOf(id: number, name: string, reason: Reason): MisfitFile {
  const copyOf = reason === 'copy' ? 'stage1_flash_v3.fls' : null;
  return { id, name, size: 2_200_000, from: null, reason, copyOf };
}

const longName = `${'stage1_flash_of_the_customer_'.repeat(5)}v3.fls`;
const fourFiles: FoundImages = {
  images: [
    imageOf(0, 'stage1_flash_v3.fls', { Flash: 0.982, Micro: 0.01 }),
    imageOf(1, 'golf.bin', { Micro: 0.997 }, 'tune_for_rossi.zip'),
    imageOf(2, 'eeprom.epr', { EEPROM: 1, MapFile: 0 }, 'tune_for_rossi.zip'),
    imageOf(3, 'maps.map', { MapFile: 0.72 }),
  ],
  misfits: [],
};
const doubtful: FoundImages = {
  images: [
    imageOf(0, longName, { Flash: 0.97, Micro: 0.02 }),
    imageOf(1, 'other_car.bin', { Micro: 0.034 }),
    imageOf(2, 'stage2.fls', { Flash: 0.95 }),
    imageOf(3, 'unknown.map', { MapFile: 0.1 }),
  ],
  misfits: [misfitOf(4, 'bench_KS3-000042.k3r', 'sealed'), misfitOf(5, longName, 'size')],
};
const reasons = [
  'archive',
  'copy',
  'empty',
  'large',
  'many',
  'sealed',
  'size',
  'unreadable',
  'zipBroken',
  'zipBytes',
  'zipEmpty',
  'zipEncrypted',
  'zipFiles',
] as const satisfies readonly Reason[];
const nothingFits: FoundImages = {
  images: [],
  misfits: reasons.map((reason, id) => misfitOf(id, `${reason}.bin`, reason)),
};
const twoFiles: FoundImages = {
  images: [
    imageOf(0, 'golf_ori.bin', { modified: null, original: null }),
    imageOf(1, 'golf_stage1.bin', { modified: null, original: null }),
  ],
  misfits: [],
};
const unnamedFiles: FoundImages = {
  images: [
    imageOf(0, 'a.bin', { modified: null, original: null }),
    imageOf(1, 'b.bin', { modified: null, original: null }),
  ],
  misfits: [],
};

function Review({ read, found }: { readonly read: DecodedRead; readonly found: FoundImages }) {
  const isBench = read.shape === 'components';
  return (
    <PlacesReview
      ground={{ read, parts: partsOf(read, isBench ? 'decoded' : null) }}
      inputs={isBench ? recodingOf(read, { Flash: uploaded('stage1.fls') }) : freshInputs(read)}
      found={found}
      waiting={null}
      maxFileBytes={32 * 2 ** 20}
      onConfirm={(placed) => report(placed.map(({ part, file }) => `${part} ${file.name}`).join())}
      onClose={() => report('close')}
    />
  );
}

/** Reports where files are put. */
const commands: Partial<Recoding> = {
  removePart: () => undefined,
  cancelPart: () => undefined,
  dispatch: () => undefined,
  choosePart: (name, file) => report(`${name} ${file.name}`),
};

interface OwnProps {
  readonly place: OwnPlace;
  readonly likeness: Readonly<Record<string, number | null>>;
}

function Own({ place, likeness }: OwnProps) {
  const parts = partsOf(benchRead, 'decoded');
  return (
    <Opened commands={commands}>
      <OwnPlaceDialog
        read={benchRead}
        inputs={recodingOf(benchRead, { Flash: uploaded('stage1.fls') })}
        file={fileOf('stage1_flash_v3.fls')}
        own="Micro"
        found={{ place, parts, likeness: new Map(Object.entries(likeness)) }}
        onClose={() => report('close')}
      />
    </Opened>
  );
}

function Dialogs() {
  const flow = { at: 'decoded', read: benchRead, encode: preparing } as const;
  const dialog = (
    <Opened flow={flow} commands={commands}>
      <PlacesDialog
        read={benchRead}
        inputs={preparing.inputs}
        files={noFiles}
        onClose={() => report('close')}
      />
    </Opened>
  );
  const key = ['code', 'fingerprints', 'slot', null];
  return (
    <>
      <State name="comparing" window={320}>
        {dialog}
      </State>
      <State name="not compared" window={420} given={[{ key, thrown: broken }]}>
        {dialog}
      </State>
      <State name="compared" window={420} given={[{ key, data: partsOf(benchRead, null) }]}>
        {dialog}
      </State>
    </>
  );
}

const preparing = { at: 'preparing', inputs: freshInputs(benchRead) } as const;
const noFiles = [new File([], 'empty.bin')];

function Area() {
  const flow = { at: 'decoded', read: benchRead, encode: preparing } as const;
  return (
    <Opened flow={flow} commands={commands}>
      <PlacesArea read={benchRead} encode={preparing}>
        <Panel title="Encode" actions={<ChooseFiles />}>
          <div className="h-60" />
        </Panel>
      </PlacesArea>
    </Opened>
  );
}

export function PlacesParts() {
  return (
    <>
      <Part file="features/recoding/encode/dropped-files/places-review.tsx">
        <State name="four files" window={760}>
          <Review read={benchRead} found={fourFiles} />
        </State>
        <State name="doubtful files" window={900}>
          <Review read={benchRead} found={doubtful} />
        </State>
        <State name="nothing fits" window={900}>
          <Review read={benchRead} found={nothingFits} />
        </State>
        <State name="by their names" window={520}>
          <Review read={imageRead} found={twoFiles} />
        </State>
        <State name="undecided" window={520}>
          <Review read={imageRead} found={unnamedFiles} />
        </State>
      </Part>
      <Part file="features/recoding/encode/dropped-files/places-dialog.tsx">
        <Dialogs />
      </Part>
      <Part file="features/recoding/encode/dropped-files/own-place-dialog.tsx">
        <State name="of another size" window={360}>
          <Own
            place={{ kind: 'other', part: 'Flash', fitsHere: false }}
            likeness={{ Flash: 0.982 }}
          />
        </State>
        <State name="of the same size" window={360}>
          <Own
            place={{ kind: 'other', part: 'Flash', fitsHere: true }}
            likeness={{ Flash: 0.982, Micro: 0.1 }}
          />
        </State>
        <State name="like no part" window={360}>
          <Own place={{ kind: 'unlike', likeness: 0.034 }} likeness={{ Micro: 0.034 }} />
        </State>
      </Part>
      <Part file="features/recoding/encode/dropped-files/places-area.tsx">
        <State name="ready" window={420}>
          <Area />
        </State>
      </Part>
    </>
  );
}
