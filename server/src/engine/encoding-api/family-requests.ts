/** The requests of the Encoding API, from what each family declares for it in the contract. */
import { pathOf } from '@recodery/contract/api';
import type {
  EncodeDeclaration,
  UploadPlace,
} from '@recodery/contract/family-routes/encoding-api-declaration';
import { encodingApiCalls } from '@recodery/contract/encoding-api/routes';
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import type { VendorRequest } from './client.ts';

type Place = ComponentName | 'original';

/** The place of an uploaded file, in the terms of this interface. */
const placeOf = ({ role, component }: UploadPlace): Place =>
  role === 'original' ? role : component;

/** The family's name for the upload at a place: an upload's `fileType`, or an encode's field. */
function nameOf(names: Readonly<Record<string, UploadPlace>>, place: Place): string {
  const found = Object.entries(names).find(([, named]) => placeOf(named) === place);
  if (found === undefined) throw new Error(`the Encoding API has no name for ${place} here`);
  return found[0];
}

function encodeOf(family: Family, mode: Mode): EncodeDeclaration {
  const declared = encodingApiOf(family).encodes[mode];
  if (declared === undefined) throw new Error(`${family} has no encode of the mode ${mode}`);
  return declared;
}

/** The path of a family's slots. */
export function slotsPath(family: Family): string {
  return pathOf(encodingApiCalls[family].listSlots);
}

/** Lists a family's slots. A vendor lists the closed ones too, so the list grows for years. */
export function listRequest(family: Family): VendorRequest {
  return { verb: 'GET', path: slotsPath(family), longestAnswer: 16 * 1024 * 1024 };
}

/** An action on one slot. Services respond with or without a body, of any type. */
export function slotRequest(
  family: Family,
  slotGuid: string,
  action: 'close' | 'reopen',
): VendorRequest {
  const { closeSlot, reopenSlot } = encodingApiCalls[family];
  const path = pathOf(action === 'close' ? closeSlot : reopenSlot, { slot: slotGuid });
  return { verb: 'POST', path, body: [], isStatusEnough: true };
}

export function decodePath(family: Family, userCode: string): string {
  return pathOf(encodingApiCalls[family].decode, { userCode });
}

export function uploadPath(
  family: Family,
  place: Place,
  { userCode, slotGuid }: { readonly userCode: string; readonly slotGuid: string },
): string {
  const fileType = nameOf(encodingApiOf(family).uploadTypes, place);
  return pathOf(encodingApiCalls[family].upload, { userCode, slot: slotGuid, fileType });
}

export function encodePath(family: Family, mode: Mode): string {
  return `/api/${family}/${encodeOf(family, mode).path}`;
}

/** The fields of an encode that name its slot and its files. */
export function encodeFields(
  { family, mode }: { readonly family: Family; readonly mode: Mode },
  slotGuid: string,
  fileGuids: Readonly<Partial<Record<Place, string>>>,
): Record<string, string> {
  const { fileFields } = encodeOf(family, mode);
  const files = Object.entries(fileGuids).map(([place, guid]) => [
    nameOf(fileFields, place as Place),
    guid,
  ]);
  return { [encodingApiOf(family).slotField]: slotGuid, ...Object.fromEntries(files) };
}

/** The component for a vendor's type name, in any case; null if the family has no component of that name. */
export function componentOf(family: Family, type: string): ComponentName | null {
  const isIt = definitionOf(family).componentTypes.some(
    (own) => own.toLowerCase() === type.toLowerCase(),
  );
  return isIt ? (componentNames.find((name) => name === type.toLowerCase()) ?? null) : null;
}
