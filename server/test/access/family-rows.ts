/** The matrix's rows for the pages of the families, and for the calls of the Encoding API. */
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import {
  apiFamilies,
  definitionOf,
  families,
  type Family,
} from '@recodery/contract/families/registry';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import { isServiceFamily, serviceFamilies } from '../../src/demo/doubles/makes.ts';
import { type Ask, withValue } from './ask.ts';
import { componentsNameOf, type OwnedSlot, type SlotName } from './owned-items.ts';
import { foreign, image, type Own, type Row, same, type Switch, upload } from './rows.ts';

const withQuery =
  (name: string) =>
  (ask: Ask): Ask =>
    withValue(ask, `query.${name}`, 'true');
const withBody =
  (name: string, value: unknown = true) =>
  (ask: Ask): Ask =>
    withValue(ask, `body.${name}`, value);
const sending: Switch = {
  right: 'may_auto_send',
  ask: withBody('notificationInfo', { email: 'garage@rossi.test' }),
};
const malformedBody = { 'misplaced malformed': '400 BAD_REQUEST' } as const;
/** The OBD encode of a slot with components. */
const otherMode = {
  'misplaced body.kess3FileSlotGUID kess3Slot': '400 OPERATION_NOT_POSSIBLE',
} as const;

const deviceOf = (own: Own, family: Family) => ({
  groupCode: own.groupCode,
  masterDeviceSerialNumber: own.masters[family],
});

/** A call that names devices: another organisation's are treated as none. */
function ofDevices(family: Family, slot: Family | 'kess3Obd', more: Partial<Row> = {}): Row {
  const noDevices = `403 ${definitionOf(family).noDevices}`;
  return {
    ask: (own) => ({ query: deviceOf(own, family), file: own.slots[slot].read }),
    answers: {
      ...same(foreign, noDevices),
      // it subscribes to the families of the demo's slaves
      otherParty: isServiceFamily(family) ? '403 FeatureNotAvailable' : noDevices,
    },
    work: { family },
    ...more,
  };
}

/** A call for one slot, in the path. */
const ofSlot = (family: Family, param = 'slotGUID'): Row => ({
  ask: (own) => ({ params: { [param]: own.slots[family].slot } }),
  accepts: [`${family}Slot`],
});

/** An upload to a slot. */
function ofUpload(
  family: Family,
  name: Family | 'kess3Obd',
  slotParam: string,
  component: ComponentName,
  params: Readonly<Record<string, string>> = {},
): Row {
  return {
    ask: (own) => ({
      params: { [slotParam]: own.slots[name].slot, ...params },
      file: image(own.slots[name], component),
    }),
    work: { family },
    isLate: true,
  };
}

function ofEncode(
  family: Family,
  ask: (own: Own) => Readonly<Record<string, unknown>>,
  switches: readonly Switch[] = [],
): Row {
  return {
    ask: (own) => ({ body: ask(own) }),
    misfits: (own) => swapFiles(ask(own)),
    answers: { ...malformedBody, ...otherMode },
    work: { family, switches: [sending, ...switches] },
  };
}

/** A body with its files exchanged: each of them fits its slot, but not its field. */
function swapFiles(body: Readonly<Record<string, unknown>>): readonly Ask[] {
  const files = Object.keys(body).filter((name) => !name.includes('Slot'));
  return files.slice(1).map((name, index) => {
    const other = files[index] ?? name;
    return { body: { ...body, [name]: body[other], [other]: body[name] } };
  });
}

/** The fields of a body with the uploaded image of each component. */
function uploadsIn(slot: OwnedSlot, fields: Readonly<Record<string, ComponentName | 'original'>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, component]) => [name, upload(slot, component)]),
  );
}

const obdFields = { modifiedFileGUID: 'obd', originalFileGUID: 'original' } as const;
const zip = (family: Family): Row => ({
  // its ticket is tested in credentials.test.ts
  ask: (own) => ({ params: { id: own.slots[family].slot }, query: { fileType: 'All' } }),
  misfits: (own) => [{ params: { id: own.slots[family].slot }, query: { fileType: 'Flash' } }],
  accepts: [`${family}Slot`],
});
const noChecksum: Switch = { right: 'may_skip_checksum', ask: withBody('willSkipChecksum') };

/** The rows of a family whose files only its maker's service opens and seals. */
function serviceRowsOf(family: Family): Readonly<Record<string, Row>> {
  return {
    [`${family}.entry`]: ofDevices(family, family),
    [`${family}.uploadReadFile`]: ofDevices(family, family),
    [`${family}.uploadModifiedFile`]: ofUpload(family, family, 'slot', 'obd', {
      component: 'image',
    }),
    [`${family}.encodeFile`]: {
      ...ofEncode(family, ({ slots }) => ({
        slotGUID: slots[family].slot,
        files: uploadsIn(slots[family], { image: 'obd' }),
      })),
      // its only file has no other place
      misfits: () => [],
    },
    [`${family}.notificationDetails`]: ofSlot(family),
    ...(definitionOf(family).componentTypes.length > 0
      ? { [`${family}.downloadAllFiles`]: zip(family) }
      : {}),
  };
}

/** The rows of the pages. */
export const pageRows: Readonly<Record<string, Row>> = {
  'kessv2.entry': ofDevices('kessv2', 'kessv2'),
  'kessv2.uploadReadFile': ofDevices('kessv2', 'kessv2'),
  'kessv2.uploadModifiedFile': ofUpload('kessv2', 'kessv2', 'slotGUID', 'obd'),
  'kessv2.uploadOriginalFile': ofUpload('kessv2', 'kessv2', 'slotGUID', 'obd'),
  'kessv2.encodeFile': ofEncode('kessv2', ({ slots: { kessv2 } }) => ({
    kessv2FileSlotGUID: kessv2.slot,
    ...uploadsIn(kessv2, obdFields),
  })),
  'kessv2.reencodeDecodedFile': {
    ...ofEncode('kessv2', ({ slots: { kessv2 } }) => ({ kessv2FileSlotGUID: kessv2.slot })),
    accepts: ['kessv2Slot'],
  },
  'kessv2.notificationDetails': ofSlot('kessv2'),
  'ktag.entry': ofDevices('ktag', 'ktag'),
  'ktag.uploadReadBackup': ofDevices('ktag', 'ktag'),
  'ktag.uploadModifiedComponentFile': {
    ...ofUpload('ktag', 'ktag', 'slotGUID', 'flash', { componentType: 'flash' }),
    misfits: (own) =>
      ['obd', 'mapfile', 'x'].map((componentType) => ({
        params: { slotGUID: own.slots.ktag.slot, componentType },
      })),
  },
  'ktag.encodeBackup': ofEncode('ktag', ({ slots: { ktag } }) => ({
    ktagFileSlotGUID: ktag.slot,
    ...uploadsIn(ktag, {
      FlashFileGUID: 'flash',
      MicroFileGUID: 'micro',
      EEPROMFileGUID: 'eeprom',
      TuningFileGUID: 'tuningfile',
    }),
  })),
  'ktag.notificationDetails': ofSlot('ktag'),
  'ktag.downloadAllFiles': zip('ktag'),
  'kess3.entry': ofDevices('kess3', 'kess3', {
    work: {
      family: 'kess3',
      switches: [{ right: 'may_utility', ask: (ask) => withValue(ask, 'query.mode', 'utility') }],
    },
  }),
  'kess3.uploadReadFile': ofDevices('kess3', 'kess3', {
    work: {
      family: 'kess3',
      switches: [
        { right: 'may_utility', ask: withQuery('fromUtility') },
        { right: 'may_skip_checksum', ask: withQuery('skipChecksum') },
        { right: 'may_debug', ask: withQuery('hasDebugFlag') },
      ],
    },
  }),
  'kess3.uploadModifiedFile': {
    ...ofUpload('kess3', 'kess3', 'slot', 'flash', { component: 'Flash' }),
    misfits: ({ slots: { kess3, kess3Obd } }) => [
      ...['mod', 'ori', 'TuningFile'].map((component) => ({
        params: { slot: kess3.slot, component },
      })),
      { params: { slot: kess3Obd.slot, component: 'Flash' } },
    ],
  },
  'kess3.encodeObdFile': ofEncode(
    'kess3',
    ({ slots: { kess3Obd } }) => ({
      kess3FileSlotGUID: kess3Obd.slot,
      ...uploadsIn(kess3Obd, obdFields),
    }),
    [noChecksum],
  ),
  'kess3.encodeBootBenchFile': ofEncode(
    'kess3',
    ({ slots: { kess3 } }) => ({
      kess3FileSlotGUID: kess3.slot,
      ...uploadsIn(kess3, {
        FlashFileGUID: 'flash',
        MicroFileGUID: 'micro',
        EEPROMFileGUID: 'eeprom',
        MapFileGUID: 'mapfile',
      }),
    }),
    [noChecksum],
  ),
  'kess3.notificationDetails': ofSlot('kess3'),
  'kess3.downloadAllFiles': zip('kess3'),
  ...Object.fromEntries(serviceFamilies.flatMap((family) => Object.entries(serviceRowsOf(family)))),
};

/** The rows of the pre-flights. */
export const preflightRows: Readonly<Record<string, Row>> = Object.fromEntries(
  families.map((family): [string, Row] => [
    `preflight.${family}`,
    { ...ofSlot(family), work: { family } },
  ]),
);

/** The rows of the repairs; no slot has one. */
export const repairRows: Readonly<Record<string, Row>> = Object.fromEntries(
  families.map((family): [string, Row] => [
    `repairs.${family}`,
    {
      ask: (own) => ({
        params: { slotGUID: own.slots[family].slot, repairGUID: own.slots[family].slot },
      }),
      accepts: [],
      granted: '404 NOT_FOUND',
      work: { family },
    },
  ]),
);

const closed = { otherClient: '400 SLOT_CLOSED' } as const;

/** The slot of a family that has components, or the one image, of a mode. */
function slotNamesOf(family: Family): Record<Mode, SlotName> {
  if (family === 'kess3') return { obd: 'kess3Obd', bootbench: 'kess3' };
  return {
    obd: family,
    bootbench: isServiceFamily(family) ? componentsNameOf(family) : family,
  };
}

const filed = {
  ktag: { decoded: 'DecodedFlash', modified: 'Flash', component: 'flash' },
  kess3: {
    decoded: 'BootBenchDecodedFlash',
    modified: 'BootBenchModifiedFlash',
    component: 'flash',
  },
} as const;
const filedImage = { decoded: 'Decoded', modified: 'Modified', component: 'obd' } as const;

function encodingApiRowsOf(family: Family): Readonly<Record<string, Row>> {
  const { slotField, encodes } = encodingApiOf(family);
  const { decoded, modified, component } =
    family === 'ktag' || family === 'kess3' ? filed[family] : filedImage;
  const params = (own: Own) => ({ slot: own.slots[family].slot });
  const ofClient: Row = { ask: (own) => ({ params: params(own) }), accepts: [`${family}Slot`] };
  const encodeRows = Object.entries(encodes).map(([mode, { fileFields }]): [string, Row] => {
    const name = slotNamesOf(family)[mode as Mode];
    const fields = Object.entries(fileFields).map(([field, { role, component: of }]) => [
      field,
      role === 'original' ? 'original' : of,
    ]);
    const ask = ({ slots }: Own) => ({
      [slotField]: slots[name].slot,
      ...uploadsIn(slots[name], Object.fromEntries(fields)),
    });
    const answers = {
      ...malformedBody,
      ...otherMode,
      ...closed,
      // its slot with one image
      ...(name === family
        ? {}
        : { [`misplaced body.${slotField} ${family}Slot`]: '400 OPERATION_NOT_POSSIBLE' }),
    };
    const misfits = (own: Own) => swapFiles(ask(own));
    const row = { ask: (own: Own) => ({ body: ask(own) }), misfits, answers, work: { family } };
    return [`encode-${mode}`, row];
  });
  return {
    listSlots: {
      ask: (own) => ({ query: { before: own.slots[family].slot } }),
      answers: {
        strangersClient: '200',
        misplaced: '200',
        'misplaced malformed': '400 BAD_REQUEST',
      },
    },
    // it counts as closed for others
    closeSlot: { ...ofClient, answers: { otherClient: '200' }, isLast: true },
    reopenSlot: { ...ofClient, isLast: true },
    findFile: {
      ask: (own) => ({ params: params(own), query: { fileType: decoded } }),
      accepts: [`${family}Slot`],
    },
    getFile: {
      ask: (own) => ({ params: { ...params(own), fileGUID: own.slots[family].decodedFile } }),
      ...(family === 'kessv2' ? { accepts: ['encodedFile'] } : {}),
    },
    decode: {
      ...ofDevices(family, family),
      ask: (own) => ({
        params: { userCode: 'C-1' },
        query: deviceOf(own, family),
        file: own.slots[family].read,
      }),
    },
    upload: {
      ask: (own) => ({
        params: { ...params(own), userCode: 'C-1', fileType: modified },
        file: image(own.slots[family], component),
      }),
      answers: closed,
      work: { family },
      isLate: true,
    },
    ...Object.fromEntries(encodeRows),
  };
}

/** The rows of the Encoding API, by the names of its calls. */
export const encodingApiRows: Readonly<Record<string, Row>> = {
  'accessTokens.request': {
    ask: (own) => ({ body: { clientApplicationGUID: own.program.guid, secretKey: 'wrong' } }),
    answers: { none: '403 INVALID_CREDENTIALS' },
  },
  'operations.getOperation': {
    ask: (own) => ({ params: { guid: own.slots.kessv2.decode } }),
    accepts: ['decode'],
  },
  ...Object.fromEntries(
    apiFamilies.flatMap((family) =>
      Object.entries(encodingApiRowsOf(family)).map(([name, row]) => [`${family}.${name}`, row]),
    ),
  ),
};
