/** The matrix's rows for the pages of the families, and for the calls of the Encoding API. */
import type { FilePlace, UploadPlace } from '@recodery/contract/families/encoding-api-family';
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import {
  apiFamilies,
  definitionOf,
  families,
  type Family,
} from '@recodery/contract/families/registry';
import type { EncodeCall, ImageCall } from '@recodery/contract/family-routes/calls';
import { hasUtility } from '@recodery/contract/family-routes/page-calls';
import { commonCalls, encodingApiOf, portalCalls } from '@recodery/contract/family-routes/registry';
import { isServiceFamily, usualRead } from '../fixtures/demo-devices.ts';
import { type Ask, withValue } from './ask.ts';
import { type OwnedSlot, type SlotName, slotNamesOf } from './owned-items.ts';
import { foreign, image, type Own, type Row, same, type Switch } from './rows.ts';

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
const deviceOf = (own: Own, family: Family) => ({
  groupCode: own.groupCode,
  masterDeviceSerialNumber: own.masters[family],
});

/** A call that names devices: another organisation's are treated as none. */
function ofDevices(family: Family, switches: readonly Switch[] = []): Row {
  const noDevices = `403 ${definitionOf(family).noDevices}`;
  return {
    ask: (own) => ({ query: deviceOf(own, family), file: own.slots[family].read }),
    answers: {
      ...same(foreign, noDevices),
      // it subscribes to the families of the demo's slaves
      otherParty: isServiceFamily(family) ? '403 FeatureNotAvailable' : noDevices,
    },
    work: { family, switches },
  };
}

/** A call for one slot, in the path. */
const ofSlot = (family: Family, param = 'slotGUID'): Row => ({
  ask: (own) => ({ params: { [param]: own.slots[family].slot } }),
  accepts: [`${family}Slot`],
});

/** The slots of a family, with the components of their reads. */
const slotsOf = (family: Family) =>
  Object.entries(slotNamesOf(family)).map(([mode, name]) => ({
    mode,
    name,
    components: definitionOf(family).modes[mode as Mode] ?? [],
  }));

/** An upload to a slot: of the first image that each of the family's slots can have. */
function ofUpload(family: Family, call: ImageCall): Row {
  const { slot, image: param, images } = call;
  const slots = slotsOf(family);
  const place = (name: SlotName, value: string) => (own: Own) => ({
    params: { [slot]: own.slots[name].slot, ...(param && { [param]: value }) },
  });
  const [first, ...others] = slots.flatMap(({ name, components }) => {
    const fits = Object.entries(images).find(([, to]) => components.includes(to.component));
    if (fits === undefined) return [];
    const [value, { component }] = fits;
    return [
      (own: Own) => ({ ...place(name, value)(own), file: image(own.slots[name], component) }),
    ];
  });
  if (first === undefined) throw new Error(`${family} has no image for ${call.path}`);
  const accepted = new Set(Object.keys(images).map((value) => value.toLowerCase()));
  const unknown = componentNames.filter((name) => !accepted.has(name));
  const misfits = slots.flatMap(({ name, components }) => [
    ...Object.entries(images)
      .filter(([, to]) => !components.includes(to.component))
      .map(([value]) => place(name, value)),
    ...(param === undefined ? [] : ['x', ...unknown].map((value) => place(name, value))),
  ]);
  return {
    ask: first,
    others: (own) => others.map((other) => other(own)),
    misfits: (own) => misfits.map((misfit) => misfit(own)),
    work: { family },
    isLate: true,
  };
}

/** The slots whose reads an encode accepts. */
const encodedSlots = (family: Family, { reads }: EncodeCall) =>
  slotsOf(family).filter(({ mode }) => reads === 'any' || (reads === 'image') === (mode === 'obd'));

/** The uploaded images of a slot that belong to these places, by their keys. */
function uploadsOf(
  slot: OwnedSlot,
  places: Readonly<Record<string, UploadPlace>>,
): Readonly<Record<string, string>> {
  const found = Object.entries(places).map(([key, { role, component }]) => [
    key,
    slot.uploads[role === 'original' ? role : component],
  ]);
  return Object.fromEntries(found.filter(([, guid]) => guid !== undefined));
}

/** The body of an encode, with every file that its slot can have. */
function bodyOf(call: EncodeCall, slot: OwnedSlot): Readonly<Record<string, unknown>> {
  const fields = Object.entries(call.body).map(
    ([name, field]): Readonly<Record<string, unknown>> => {
      if (field.means === 'slot') return { [name]: slot.slot };
      if (field.means === 'file') return uploadsOf(slot, { [name]: field.place });
      return field.means === 'files' ? { [name]: uploadsOf(slot, field.keys) } : {};
    },
  );
  return Object.assign({}, ...fields);
}

function ofEncode(family: Family, call: EncodeCall): Row {
  const [first, ...others] = encodedSlots(family, call).map(({ name }) => name);
  if (first === undefined) throw new Error(`${family} has no read for ${call.path}`);
  const ask = (name: SlotName) => (own: Own) => bodyOf(call, own.slots[name]);
  return {
    ask: (own) => ({ body: ask(first)(own) }),
    others: (own) => others.map((name) => ({ body: ask(name)(own) })),
    misfits: (own) => swapFiles(ask(first)(own)),
    answers: { ...malformedBody, ...ofOtherMode(family, first, slotFieldOf(call)) },
    work: { family, switches: [sending, ...('willSkipChecksum' in call.body ? [noChecksum] : [])] },
  };
}

const slotFieldOf = ({ body }: EncodeCall): string =>
  Object.entries(body).find(([, { means }]) => means === 'slot')?.[0] ?? '';

/** The encode of the family's slot with components does not fit its slot with one image. */
const ofOtherMode = (family: Family, name: SlotName, slotField: string) =>
  name === family
    ? {}
    : { [`misplaced body.${slotField} ${family}Slot`]: '400 OPERATION_NOT_POSSIBLE' };

/** A body with its files exchanged: each of them fits its slot, but not its field. */
function swapFiles(body: Readonly<Record<string, unknown>>): readonly Ask[] {
  const files = Object.keys(body).filter((name) => name.endsWith('FileGUID'));
  return files.slice(1).map((name, index) => {
    const other = files[index] ?? name;
    return { body: { ...body, [name]: body[other], [other]: body[name] } };
  });
}

/** All components of a read in one file. */
function zip(family: Family): Row {
  const name = slotNamesOf(family).bootbench ?? family;
  return {
    // its ticket is tested in credentials.test.ts
    ask: (own) => ({ params: { id: own.slots[name].slot }, query: { fileType: 'All' } }),
    misfits: (own) => [{ params: { id: own.slots[name].slot }, query: { fileType: 'Flash' } }],
    accepts: [`${family}Slot`],
  };
}
const noChecksum: Switch = { right: 'may_skip_checksum', ask: withBody('willSkipChecksum') };

/** The switches of a read that only a utility offers. */
const utilitySwitches: readonly Switch[] = [
  { right: 'may_utility', ask: withQuery('fromUtility') },
  { right: 'may_skip_checksum', ask: withQuery('skipChecksum') },
  { right: 'may_debug', ask: withQuery('hasDebugFlag') },
];
const utilityMode: Switch = {
  right: 'may_utility',
  ask: (ask) => withValue(ask, 'query.mode', 'utility'),
};

/** The rows of a family's pages, by the names of its calls. */
function pageRowsOf(family: Family): Readonly<Record<string, Row>> {
  const { read, images, encodes } = portalCalls[family];
  const isWithUtility = hasUtility(family);
  return {
    entry: ofDevices(family, isWithUtility ? [utilityMode] : []),
    [read.name]: ofDevices(family, isWithUtility ? utilitySwitches : []),
    ...Object.fromEntries(images.map(({ name, call }) => [name, ofUpload(family, call)])),
    ...Object.fromEntries(encodes.map(({ name, call }) => [name, ofEncode(family, call)])),
    notificationDetails: ofSlot(family),
    ...(commonCalls[family].downloadAllFiles && { downloadAllFiles: zip(family) }),
  };
}

/** The rows of all families, by their names in the contract. */
const rowsOf = <F extends Family>(
  of: readonly F[],
  rows: (family: F) => Readonly<Record<string, Row>>,
): Readonly<Record<string, Row>> =>
  Object.fromEntries(
    of.flatMap((family) =>
      Object.entries(rows(family)).map(([name, row]) => [`${family}.${name}`, row]),
    ),
  );

/** The rows of the pages. */
export const pageRows = rowsOf(families, pageRowsOf);

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

/** The first type of files that is of an image in this read. */
function firstOf<P extends UploadPlace | FilePlace>(
  types: Readonly<Record<string, P>>,
  role: P['role'],
  component: ComponentName,
): string {
  const found = Object.entries(types).find(
    ([, place]) => place.role === role && place.component === component,
  );
  return found?.[0] ?? '';
}

function encodingApiRowsOf(family: Family): Readonly<Record<string, Row>> {
  const { slotField, encodes, fileTypes, uploadTypes } = encodingApiOf(family);
  const { part } = usualRead(family);
  const params = (own: Own) => ({ slot: own.slots[family].slot });
  const ofClient: Row = { ask: (own) => ({ params: params(own) }), accepts: [`${family}Slot`] };
  const encodeRows = Object.entries(encodes).map(([mode, { fileFields }]): [string, Row] => {
    const name = slotNamesOf(family)[mode as Mode] ?? family;
    const ask = ({ slots }: Own) => ({
      [slotField]: slots[name].slot,
      ...uploadsOf(slots[name], fileFields),
    });
    const answers = { ...malformedBody, ...closed, ...ofOtherMode(family, name, slotField) };
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
      ask: (own) => ({
        params: params(own),
        query: { fileType: firstOf(fileTypes, 'decoded', part) },
      }),
      accepts: [`${family}Slot`],
    },
    getFile: {
      ask: (own) => ({ params: { ...params(own), fileGUID: own.slots[family].decodedFile } }),
      ...(family === 'kessv2' ? { accepts: ['encodedFile'] } : {}),
    },
    decode: {
      ...ofDevices(family),
      ask: (own) => ({
        params: { userCode: 'C-1' },
        query: deviceOf(own, family),
        file: own.slots[family].read,
      }),
    },
    upload: {
      ask: (own) => ({
        params: {
          ...params(own),
          userCode: 'C-1',
          fileType: firstOf(uploadTypes, 'modified', part),
        },
        file: image(own.slots[family], part),
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
  ...rowsOf(apiFamilies, encodingApiRowsOf),
};
