/** The Encoding API as its client: paths, and the names of files and fields that each family declares. */
import type { EncodeDeclaration, UploadPlace } from '@recodery/contract/encoding-api/family';
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/families/routes';
import type { VendorRequest } from './client.ts';

type Place = ComponentName | 'original';

/** The name that a family declares for a place: the type of an upload, or a field of an encode. */
function nameOf(
  names: Readonly<Record<string, UploadPlace>>,
  place: Place,
  family: Family,
): string {
  const found = Object.entries(names).find(([, { role, component }]) =>
    place === 'original' ? role === 'original' : role === 'modified' && component === place,
  );
  if (found === undefined) throw new Error(`${family} has no ${place}`);
  return found[0];
}

function encodeOf(family: Family, mode: Mode): EncodeDeclaration {
  const declared = encodingApiOf(family).encodes[mode];
  if (declared === undefined) throw new Error(`${family} has no encode of ${mode}`);
  return declared;
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
  return `/api/${family}/${encodingApiOf(family).decodePath}/${encodeURIComponent(userCode)}`;
}

export function uploadPath(
  family: Family,
  place: Place,
  { userCode, slotGuid }: { readonly userCode: string; readonly slotGuid: string },
): string {
  const type = nameOf(encodingApiOf(family).uploadTypes, place, family);
  const segments = [userCode, slotGuid, type].map(encodeURIComponent).join('/');
  return `/api/${family}/upload-modified-file/${segments}`;
}

export function encodePath(family: Family, mode: Mode): string {
  return `/api/${family}/${encodeOf(family, mode).path}`;
}

/** The fields of an encode that name its slot and its files. */
export function encodeFields(
  family: Family,
  mode: Mode,
  slotGuid: string,
  fileGuids: Readonly<Partial<Record<Place, string>>>,
): Record<string, string> {
  const { fileFields } = encodeOf(family, mode);
  const files = Object.entries(fileGuids).map(([place, guid]) => [
    nameOf(fileFields, place as Place, family),
    guid,
  ]);
  return { [encodingApiOf(family).slotField]: slotGuid, ...Object.fromEntries(files) };
}

/** The component for a vendor's type name, in any case; null when the family has none of that name. */
export function componentOf(family: Family, type: string): ComponentName | null {
  const isIt = definitionOf(family).componentTypes.some(
    (own) => own.toLowerCase() === type.toLowerCase(),
  );
  return isIt ? (componentNames.find((name) => name === type.toLowerCase()) ?? null) : null;
}
