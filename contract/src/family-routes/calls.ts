/**
 * What a family declares about the calls of its pages: their paths, and what each field means. Routes, the server's
 * handlers and the requests of the pages are derived from it.
 */
import type { UploadPlace } from '../families/encoding-api-family.ts';
import type { ComponentName } from '../families/family.ts';
import type { Recognition } from '../families/recognition.ts';

/** The call that uploads a read file and starts decoding it. */
export interface ReadCall {
  /** Its name in the API document. */
  readonly name: string;
  /** The last segment of its path. */
  readonly path: string;
}

/** A call that uploads an image for an encode. */
export interface ImageCall {
  /** The segment of its path before the parameters. */
  readonly path: string;
  /** The name of the path parameter for the slot. */
  readonly slot: string;
  /** The name of the path parameter for the image; absent: the call is for one image. */
  readonly image?: string;
  /** The form field of the file. */
  readonly file: string;
  /** The images that it accepts, by the value of the parameter `image`, which may be in any case. */
  readonly images: Readonly<Record<string, UploadPlace>>;
}

/** What a field in the body of an encode means. */
export type BodyField =
  | { readonly means: 'slot' }
  /** The GUID of the uploaded file for this place. */
  | { readonly means: 'file'; readonly place: UploadPlace }
  /** The GUIDs of the uploaded files, by these keys. */
  | { readonly means: 'files'; readonly keys: Readonly<Record<string, UploadPlace>> }
  /** True removes the component. */
  | { readonly means: 'removal'; readonly component: ComponentName }
  | { readonly means: 'willCorrectCVN' }
  | { readonly means: 'willSkipChecksum' }
  | { readonly means: 'willCorrectChecksums' }
  | { readonly means: 'contextData' }
  | { readonly means: 'notificationInfo' };

/** The fields of a body by their names, in the order of the API document. */
export type BodyFields = Readonly<Record<string, BodyField>>;

/** A call that starts an encode. */
export interface EncodeCall {
  /** The last segment of its path. */
  readonly path: string;
  /** The reads that it encodes. */
  readonly reads: 'image' | 'components' | 'any';
  /** Whether it encodes the decoded image without changes: `without-file`, if the body names no modified file. */
  readonly reencodes?: 'always' | 'without-file';
  readonly body: BodyFields;
}

/** A file of a decode: where it can be downloaded; `size` in bytes. */
export interface DecodedFileView {
  readonly url: string;
  readonly name: string;
  readonly size: number | null;
  /** The control unit that the image belongs to; null: not identified. */
  readonly recognition: Recognition | null;
}

/** A component of a decode; its type is as the family writes it. */
export interface ComponentView extends DecodedFileView {
  readonly type: string;
  readonly size: number;
}

/** A file with all components of a read. */
export interface ZipView {
  readonly url: string;
  readonly name: string;
}

/** The result of a decode, in terms that all families share. */
export interface DecodeView {
  readonly slotGUID: string;
  /** The read is of one image, not of components. */
  readonly isOneImage: boolean;
  /** The one image; null for a read of components, and for a read that contains only the identification. */
  readonly image: DecodedFileView | null;
  /** All components in one file; null if there is none. */
  readonly zip: ZipView | null;
  readonly components: readonly ComponentView[];
  readonly wasOriginalFileFoundThroughVirtualReading: boolean;
  readonly isOriginalFileNeeded: boolean;
  readonly isChecksumCorrectionNeeded: boolean;
  readonly isCVNCorrectionPossible: boolean;
}

/** The fields that all families' results have. */
export interface SharedResult {
  readonly name: string;
  readonly readFileName: string;
  readonly readFileSize: number | null;
  readonly idFileURL: string | null;
  readonly idFileName: string | null;
  readonly information: Readonly<Record<string, string | null>>;
  readonly checksumRules: number;
  readonly warnings: string[];
}

/** Reads a family's result of a decode in the terms that all families share. */
export type ReadResult<Result extends SharedResult = never> = (result: Result) => DecodeView;

/**
 * Writes the fields of a family's result besides {@link SharedResult}; the zip exists for every read. Not a part of
 * {@link FamilyCalls}, because pages do not need it.
 */
export type WriteResult<Result extends SharedResult = SharedResult> = (
  decode: DecodeView & { readonly zip: ZipView },
) => Omit<Result, keyof SharedResult>;

/** The calls of a family besides those that every family has, by their names in the API document. */
export interface FamilyCalls {
  readonly read: ReadCall;
  readonly images: Readonly<Record<string, ImageCall>>;
  readonly encodes: Readonly<Record<string, EncodeCall>>;
  readonly readResult: ReadResult;
}

/** What each call of a family does, for the API document. Not a part of {@link FamilyCalls}, because pages do not need it. */
export type Summaries<F extends FamilyCalls = FamilyCalls> = Readonly<
  Record<F['read']['name'] | keyof F['images'] | keyof F['encodes'], string>
>;

const file = (place: UploadPlace) => ({ means: 'file', place }) as const;
/** Fields of bodies. */
export const field = {
  slot: { means: 'slot' },
  modified: (component: ComponentName) => file({ role: 'modified', component }),
  original: file({ role: 'original', component: 'obd' }),
  removal: (component: ComponentName) => ({ means: 'removal', component }) as const,
  files: (keys: Readonly<Record<string, UploadPlace>>) => ({ means: 'files', keys }) as const,
  willCorrectCVN: { means: 'willCorrectCVN' },
  willSkipChecksum: { means: 'willSkipChecksum' },
  willCorrectChecksums: { means: 'willCorrectChecksums' },
} as const;

/** The fields of every body about the caller's data and the recipient. */
export const sendingFields = {
  contextData: { means: 'contextData' },
  notificationInfo: { means: 'notificationInfo' },
} as const satisfies BodyFields;

/** The images of an upload by the family's types of components, which are our names in any case. */
export function byName<const T extends ComponentName>(
  types: readonly T[],
  placeOf: (component: ComponentName) => UploadPlace,
): Record<T, UploadPlace> {
  return Object.fromEntries(types.map((type) => [type, placeOf(type)])) as Record<T, UploadPlace>;
}

/** The components of a result, in the family's order. */
export function writeComponents<T extends string>(
  types: readonly T[],
  components: readonly ComponentView[],
) {
  return types.flatMap((type) =>
    components
      .filter((component) => component.type === type)
      .map(({ url, name, size, recognition }) => ({
        type,
        decodedFileURL: url,
        decodedFileName: name,
        size,
        recognition,
      })),
  );
}

/** A component of a result. */
export function readComponent(component: {
  readonly type: string;
  readonly decodedFileURL: string;
  readonly decodedFileName: string;
  readonly size: number;
  readonly recognition?: Recognition | null | undefined;
}): ComponentView {
  const { type, decodedFileURL: url, decodedFileName: name, size, recognition = null } = component;
  return { type, url, name, size, recognition };
}
