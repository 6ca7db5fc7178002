/**
 * The calls of the families whose files only their maker's service opens and seals: each has the same, and declares its
 * components.
 */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import { doubleMark } from '../results.ts';
import {
  type ApiDecode,
  byComponent,
  decoded,
  decodedComponents,
  describeDecodedComponents,
  encoded,
  type EncodingApiFamily,
  findDecodedImage,
  modified,
} from '../families/encoding-api-family.ts';
import { type ComponentName, modes } from '../families/family.ts';
import {
  type FamilyCalls,
  field,
  type ReadResult,
  readComponent,
  sendingFields,
  type SharedResult,
  type Summaries,
  type WriteResult,
} from './calls.ts';

/** The fields of a result besides those of every family. */
interface ServiceResult extends SharedResult {
  readonly slotGUID: string;
  readonly decodedFileURL: string;
  readonly decodedFileName: string;
  readonly components: readonly Parameters<typeof readComponent>[0][];
}

/** The type of the only component of a read with one image. */
export const imageType = 'image';

const writeResult: WriteResult<ServiceResult> = ({ slotGUID, image, zip, components }) => {
  const listed =
    image === null ? components : [{ ...image, type: imageType, size: image.size ?? 0 }];
  return {
    slotGUID,
    decodedFileURL: (image ?? zip).url,
    decodedFileName: (image ?? zip).name,
    components: listed.map(({ type, url, name, size, recognition }) => ({
      type,
      decodedFileURL: url,
      decodedFileName: name,
      size,
      recognition,
    })),
  };
};

const readResult: ReadResult<ServiceResult> = ({ slotGUID, components: listed, ...decode }) => {
  const components = listed.map(readComponent);
  const image = components.find(({ type }) => type === imageType) ?? null;
  return {
    slotGUID,
    isOneImage: image !== null,
    image,
    zip: image === null ? { url: decode.decodedFileURL, name: decode.decodedFileName } : null,
    components: image === null ? components : [],
    wasOriginalFileFoundThroughVirtualReading: false,
    isOriginalFileNeeded: false,
    isChecksumCorrectionNeeded: false,
    isCVNCorrectionPossible: false,
  };
};

/** The calls of a family with these components, by their types. */
export function serviceCalls<const T extends string>(
  components: Readonly<Record<T, ComponentName>>,
) {
  const places = Object.fromEntries(
    Object.entries<ComponentName>(components).map(([type, name]) => [type, modified(name)]),
  ) as Record<T, ReturnType<typeof modified>>;
  return {
    read: { name: 'uploadReadFile', path: 'upload-read-file' },
    images: {
      uploadModifiedFile: {
        path: 'upload-modified-file',
        slot: 'slot',
        image: 'component',
        file: 'file',
        images: places,
      },
    },
    encodes: {
      encodeFile: {
        path: 'encode-file',
        reads: 'any',
        reencodes: 'without-file',
        body: {
          slotGUID: field.slot,
          files: field.files(places),
          willCorrectChecksums: field.willCorrectChecksums,
          ...sendingFields,
        },
      },
    },
    readResult,
  } as const satisfies FamilyCalls;
}

const summaries: Summaries<ReturnType<typeof serviceCalls>> = {
  uploadReadFile: 'Uploads a read file and starts decoding it.',
  uploadModifiedFile: 'Uploads the modified image of one component and checks it against the read.',
  encodeFile:
    'Starts encoding for the slave that wrote the read file. A component without a file stays as it was read.',
};

/** The components of a family whose types are our names. */
export const componentPlaces = <const T extends ComponentName>(
  types: readonly T[],
): { readonly [Type in T]: Type } =>
  Object.fromEntries(types.map((type) => [type, type])) as { readonly [Type in T]: Type };

/** What a family with components declares in addition. `number`: of the encodes of components. */
function describeComponents(types: readonly ComponentName[], number: number) {
  const components = componentPlaces(types);
  const fields = { mode: z.enum(modes), components: z.nullable(decodedComponents) };
  if (types.length === 0) return null;
  return {
    uploadTypes: byComponent(components, (type) => `Modified_${type}`, modified),
    fileTypes: byComponent(components, (type) => `Decoded_${type}`, decoded),
    encodes: {
      bootbench: {
        path: 'encode-components',
        operationNumber: number,
        fileFields: byComponent(components, (type) => `${type}FileGUID`, modified),
        canCorrectCVN: false,
      },
    },
    fields,
    decodeFields: { mode: 'mode', components: 'components' },
    describe: (read: ApiDecode) => ({
      mode: read.mode,
      components: read.mode === 'obd' ? null : describeDecodedComponents(read, components),
    }),
  };
}

/**
 * What a family declares for the Encoding API. `numbers`: of its decodes, of the encodes of one image, and of those of
 * components. `types`: the components; none: each read is of one image.
 */
export function serviceApi(
  family: string,
  [decodeNumber, imageNumber, componentsNumber = 0]: readonly [number, number, number?],
  types: readonly ComponentName[] = [],
) {
  const [slotField, encodedFileField] = [`${family}FileSlotGUID`, `${family}FileGUID`];
  const more = describeComponents(types, componentsNumber);
  return (): EncodingApiFamily => ({
    decodePath: 'decode-read-file',
    decodeNumber,
    slotField,
    encodedFileField,
    uploadTypes: { Modified: modified('obd'), ...more?.uploadTypes },
    fileTypes: { Decoded: decoded('obd'), ...more?.fileTypes, Encoded: encoded },
    encodes: {
      obd: {
        path: 'encode-file',
        operationNumber: imageNumber,
        fileFields: { modifiedFileGUID: modified('obd') },
        canCorrectCVN: false,
      },
      ...more?.encodes,
    },
    decodeResult: z.strictObject({
      [slotField]: guid,
      name: z.string(),
      decodedFileURL: z.nullable(z.string()),
      isDouble: doubleMark,
      ...more?.fields,
    }),
    decodeFields: { image: 'decoded', ...more?.decodeFields },
    describeDecode: (read) => ({
      [slotField]: read.slotGUID,
      name: read.name,
      decodedFileURL: findDecodedImage(read),
      ...more?.describe(read),
    }),
  });
}

/** The routes of a family with these calls, without its part of the Encoding API. */
export const serviceRoutes = { summaries, writeResult };
