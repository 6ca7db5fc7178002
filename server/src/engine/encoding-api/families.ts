/** The Encoding API by family: paths, names of files, and the fields of requests and results. */
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import type { VendorRequest } from './client.ts';

type Place = ComponentName | 'original';
type Names = Readonly<Partial<Record<Place, string>>>;

/** What differs between families. */
interface FamilyNames {
  readonly decode: string;
  /** The path of an encode, by the mode of the read. */
  readonly encode: Readonly<Record<Mode, string>>;
  /** The `fileType` of an upload. */
  readonly uploads: Names;
  /** The field of an encode that names an uploaded file. */
  readonly fields: Names;
}

const benchFields = { flash: 'flashFileGUID', micro: 'microFileGUID', eeprom: 'eepromFileGUID' };
const imageFields = { obd: 'modifiedFileGUID', original: 'originalFileGUID' };

const families: Readonly<Record<Family, FamilyNames>> = {
  kessv2: {
    decode: 'decode-read-file',
    encode: { obd: 'encode-file', bootbench: 'encode-file' },
    uploads: { obd: 'Modified', original: 'Original' },
    fields: imageFields,
  },
  ktag: {
    decode: 'decode-read-backup',
    encode: { obd: 'encode-backup', bootbench: 'encode-backup' },
    uploads: { flash: 'Flash', micro: 'Micro', eeprom: 'EEPROM', tuningfile: 'TuningFile' },
    fields: { ...benchFields, tuningfile: 'tuningFileGUID' },
  },
  kess3: {
    decode: 'decode-read-file',
    encode: { obd: 'encode-obd-file', bootbench: 'encode-boot-bench-file' },
    uploads: {
      obd: 'OBDModified',
      original: 'OBDOriginal',
      flash: 'BootBenchModifiedFlash',
      micro: 'BootBenchModifiedMicro',
      eeprom: 'BootBenchModifiedEEPROM',
      mapfile: 'BootBenchModifiedMapFile',
    },
    fields: { ...imageFields, ...benchFields, mapfile: 'mapFileGUID' },
  },
};

function need(name: string | undefined, place: Place, family: Family): string {
  if (name === undefined) throw new Error(`${family} has no ${place}`);
  return name;
}

/** The path of a family's slots. */
export function slotsPath(family: Family): string {
  return `/api/${family}/file-slots`;
}

/** Lists a family's slots. A vendor lists the closed ones too, so that the list grows for years. */
export function listRequest(family: Family): VendorRequest {
  return { verb: 'GET', path: slotsPath(family), longestAnswer: 16 * 1024 * 1024 };
}

/** An action on one slot. Services answer with a body or without, of any type. */
export function slotRequest(
  family: Family,
  slotGuid: string,
  action: 'close' | 'reopen',
): VendorRequest {
  const path = `${slotsPath(family)}/${encodeURIComponent(slotGuid)}/${action}`;
  return { verb: 'POST', path, body: [], isStatusEnough: true };
}

export function decodePath(family: Family, userCode: string): string {
  return `/api/${family}/${families[family].decode}/${encodeURIComponent(userCode)}`;
}

export function uploadPath(
  family: Family,
  place: Place,
  { userCode, slotGuid }: { readonly userCode: string; readonly slotGuid: string },
): string {
  const type = need(families[family].uploads[place], place, family);
  const segments = [userCode, slotGuid, type].map(encodeURIComponent).join('/');
  return `/api/${family}/upload-modified-file/${segments}`;
}

export function encodePath(family: Family, mode: Mode): string {
  return `/api/${family}/${families[family].encode[mode]}`;
}

/** The fields of an encode that name its slot and its files. */
export function encodeFields(
  family: Family,
  slotGuid: string,
  fileGuids: Readonly<Partial<Record<Place, string>>>,
): Record<string, string> {
  const files = Object.entries(fileGuids).map(([place, guid]) => [
    need(families[family].fields[place as Place], place as Place, family),
    guid,
  ]);
  return { [`${family}FileSlotGUID`]: slotGuid, ...Object.fromEntries(files) };
}

/** The component for a vendor's type name, in any case; null when the family has none of that name. */
export function componentOf(family: Family, type: string): ComponentName | null {
  const isIt = definitionOf(family).componentTypes.some(
    (own) => own.toLowerCase() === type.toLowerCase(),
  );
  return isIt ? (componentNames.find((name) => name === type.toLowerCase()) ?? null) : null;
}
