/** What a family declares for the Encoding API: its paths, field names, file types, numbers and result. */
import * as z from 'zod/mini';
import type { ComponentName, Mode } from './family.ts';

/** The purpose of an uploaded file. */
export interface UploadPlace {
  readonly role: 'modified' | 'original';
  readonly component: ComponentName;
}

/** The type of a slot's file: a decoded component, the encoded file or the ID file. */
export interface FilePlace {
  readonly role: 'decoded' | 'encoded' | 'id';
  /** null where the file is not a single component. */
  readonly component: ComponentName | null;
  /** The mode of the reads that have such a file; absent: any. */
  readonly mode?: Mode;
}

/** The encode of reads of one mode. */
export interface EncodeDeclaration {
  /** The last segment of the call's path. */
  readonly path: string;
  /** The `asyncOperationType` of its operations. */
  readonly operationNumber: number;
  /** The fields that name uploaded files. */
  readonly fileFields: Readonly<Record<string, UploadPlace>>;
  /** Whether the call has the field `willCorrectCVN`. */
  readonly canCorrectCVN: boolean;
}

/** The result of a decode, in terms that all families share. */
export interface ApiDecode {
  readonly slotGUID: string;
  readonly name: string;
  readonly mode: Mode;
  readonly isCVNCorrectionPossible: boolean;
  /** A checksum of the image can be corrected only with the original image, which the encode must name. */
  readonly isChecksumCorrectionNeeded: boolean;
  readonly components: readonly { readonly component: ComponentName; readonly url: string }[];
}

/** The fields of a decode's result that contain what all families share. */
export interface DecodeFields {
  /** The field with the name of the mode, in any case; needed where the family has several modes. */
  readonly mode?: string;
  /**
   * The prefix of `FileURL`, and of `FileSize` where a service adds it, for the image of an OBD read; absent: no such
   * reads.
   */
  readonly image?: string;
  /** The field with the list of components; absent: the family has no components. */
  readonly components?: string;
}

/** Everything that differs between the families of the Encoding API. Calls and records are derived from it. */
export interface EncodingApiFamily {
  /** The segment of the decode call before the user code. */
  readonly decodePath: string;
  /** The `asyncOperationType` of its decodes. */
  readonly decodeNumber: number;
  /** The field that names the slot in encodes and results. */
  readonly slotField: string;
  /** The field of an encode's result that names the encoded file. */
  readonly encodedFileField: string;
  /** The types of uploads. A type of a request may be in any case. */
  readonly uploadTypes: Readonly<Record<string, UploadPlace>>;
  /** The types of files that can be read. A type of a request may be in any case. */
  readonly fileTypes: Readonly<Record<string, FilePlace>>;
  /** The encode of each mode. */
  readonly encodes: Readonly<Partial<Record<Mode, EncodeDeclaration>>>;
  /**
   * The result of a decode. Programs that serve every family look for the address of a decoded image in a field whose
   * name ends in `decodedFileURL`, and for components in a list of objects with a `type`.
   */
  readonly decodeResult: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  /** Where the result of a decode names the read's mode and its images; an engine that calls the API reads these. */
  readonly decodeFields: DecodeFields;
  describeDecode(read: ApiDecode): Readonly<Record<string, unknown>>;
}

/** The list of decoded components in a result: each with the family's type name and its address. */
export const decodedComponents = z.array(
  z.strictObject({ type: z.string(), decodedFileURL: z.string() }),
);

/** The decoded components under the names and in the order of `types`. */
export function describeDecodedComponents(
  { components }: ApiDecode,
  types: Readonly<Record<string, ComponentName>>,
): z.output<typeof decodedComponents> {
  return Object.entries(types).flatMap(([type, name]) =>
    components
      .filter(({ component }) => component === name)
      .map(({ url }) => ({ type, decodedFileURL: url })),
  );
}

/** The address of the one decoded image, or null. */
export function findDecodedImage({ components }: ApiDecode): string | null {
  return components.find(({ component }) => component === 'obd')?.url ?? null;
}

/** One entry for each component: `nameOf` turns the family's type name into the entry's name. */
export function byComponent<P>(
  types: Readonly<Record<string, ComponentName>>,
  nameOf: (type: string) => string,
  placeOf: (component: ComponentName) => P,
): Record<string, P> {
  return Object.fromEntries(
    Object.entries(types).map(([type, component]) => [nameOf(type), placeOf(component)]),
  );
}

/** The place of a component's modified image. */
export const modified = (component: ComponentName): UploadPlace => ({
  role: 'modified',
  component,
});
/** The place of a decoded component. */
export const decoded = (component: ComponentName): FilePlace => ({ role: 'decoded', component });
/** The place of the original image. */
export const original: UploadPlace = { role: 'original', component: 'obd' };
/** The place of the encoded file. */
export const encoded: FilePlace = { role: 'encoded', component: null };
/** The place of the encoded file of reads of one mode. */
export const encodedOf = (mode: Mode): FilePlace => ({ ...encoded, mode });
/** The place of the ID file. */
export const idFile: FilePlace = { role: 'id', component: null };
