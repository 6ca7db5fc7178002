/** What was found in the images of a read. */
import type { KeptOriginal } from '@recodery/contract/features/originals';
import { Refusal } from '@recodery/contract/refusal';
import type { Recognition } from '@recodery/contract/families/recognition';
import { TextDialog } from '../../src/features/image-texts/text-dialog.tsx';
import { TextMenu } from '../../src/features/image-texts/text-menu.tsx';
import { FoundInImagePanel } from '../../src/features/recognized/found-in-image.tsx';
import { KeptOriginalLine } from '../../src/features/originals/kept-original.tsx';
import { OriginalsPanel } from '../../src/features/originals/originals-panel.tsx';
import { FoundInJob } from '../../src/pages/jobs/found-in-job.tsx';
import { guidOf } from '../made/answers.ts';
import { hoursAgo, job } from '../made/jobs.ts';
import { Part, report, State } from '../state.tsx';

const me7: Recognition = {
  family: 'bosch-me7',
  name: 'Bosch ME7.5',
  certainty: 'certain',
  isValidated: true,
  isSwapped: false,
  fields: [
    { name: 'hardware', value: '0261200001', offset: 0x18326, text: '0261200001' },
    { name: 'software', value: '1037300002', offset: 0x18330, text: '1037300002' },
    { name: 'calibration', value: '6001.01', offset: 0x10013, text: '6001.01' },
    { name: 'partNumber', value: '8D0906018CB', offset: 0x109ca, text: '8D0906018CB ' },
    { name: 'version', value: '0003', offset: 0x109ea, text: '0003' },
    { name: 'engine', value: '1.8L R4/5VT', offset: 0x109d6, text: '1.8L R4/5VT         ' },
    { name: 'date', value: '110204', offset: 0x1001f, text: '110204' },
  ],
};

const motronic: Recognition = {
  family: 'bosch-motronic',
  name: 'Bosch Motronic M1.7',
  certainty: 'probable',
  isValidated: false,
  isSwapped: true,
  fields: [{ name: 'hardware', value: '0261200003', offset: 0x7f80, text: '3000021620' }],
};

const rusefi: Recognition = {
  family: 'rusefi',
  name: 'rusEFI',
  certainty: 'certain',
  isValidated: true,
  isSwapped: false,
  fields: [
    { name: 'hardware', value: 'proteus_f7', offset: 0x20017, text: 'proteus_f7' },
    {
      name: 'software',
      value: 'rusEFI development-branch.2024.05.06.proteus_f7.1234567890',
      offset: 0x20000,
      text: 'rusEFI development-branch.2024.05.06.proteus_f7.1234567890',
    },
  ],
};

const decoded = {
  name: 'flash.bin',
  size: 0x80000,
  fetchUrl: async () => {
    report('fetch');
    throw new Refusal('NOT_FOUND');
  },
};

const original: KeptOriginal = {
  fileGUID: guidOf(900),
  slotGUID: guidOf(1),
  name: 'factory.bin',
  readFileName: 'golf_stage_0.kess3',
  software: '1037360987',
  size: 0x80000,
  sha256: '0'.repeat(64),
  keptOn: hoursAgo(30),
  keptBy: 'Anna Conti',
};
const image = guidOf(901);
const originalsAre = (own: KeptOriginal | null, ...others: readonly boolean[]) => ({
  key: ['code', 'originals', 'of', image],
  data: { own, others: others.map((isEqual) => ({ ...original, isEqual })) },
});

function OriginalParts() {
  return (
    <>
      <Part file="features/originals/kept-original.tsx">
        <State name="none" given={[originalsAre(null)]}>
          <KeptOriginalLine fileGUID={image} part="Flash" />
        </State>
        <State name="kept" given={[originalsAre(original)]}>
          <KeptOriginalLine fileGUID={image} part={null} />
        </State>
        <State name="equal" given={[originalsAre(null, true)]}>
          <KeptOriginalLine fileGUID={image} part={null} />
        </State>
        <State
          name="different"
          given={[
            originalsAre(null, false),
            {
              key: ['code', 'originals', 'difference', original.fileGUID, image],
              data: { bytes: 1234 },
            },
          ]}
        >
          <KeptOriginalLine fileGUID={image} part="Flash" />
        </State>
      </Part>
      <Part file="features/originals/originals-panel.tsx">
        <State
          name="of a manager"
          given={[
            {
              key: ['code', 'originals', 'list'],
              data: [
                original,
                { ...original, fileGUID: guidOf(902), software: null, keptBy: null },
              ],
            },
          ]}
        >
          <OriginalsPanel canManage />
        </State>
        <State name="empty" given={[{ key: ['code', 'originals', 'list'], data: [] }]}>
          <OriginalsPanel canManage={false} />
        </State>
      </Part>
    </>
  );
}

/** The group `recognized`. */
export function RecognizedParts() {
  return (
    <>
      <Part file="features/recognized/found-in-image.tsx">
        <State name="certain">
          <FoundInImagePanel images={[{ part: null, recognition: me7 }]} />
        </State>
        <State name="probable">
          <FoundInImagePanel images={[{ part: null, recognition: motronic }]} />
        </State>
        <State name="several components">
          <FoundInImagePanel
            images={[
              { part: 'Flash', recognition: me7 },
              { part: 'Micro', recognition: rusefi },
            ]}
          />
        </State>
      </Part>
      <OriginalParts />
      <Part file="pages/jobs/found-in-job.tsx">
        <State name="of one component">
          <FoundInJob job={{ ...job, recognized: [{ component: 'flash', recognition: me7 }] }} />
        </State>
      </Part>
      <Part file="features/image-texts/text-menu.tsx">
        <State name="closed">
          <TextMenu {...decoded} />
        </State>
      </Part>
      <Part file="features/image-texts/text-dialog.tsx">
        <State name="for an address">
          <TextDialog {...decoded} format="intel-hex" onClose={() => report('close')} />
        </State>
      </Part>
    </>
  );
}
