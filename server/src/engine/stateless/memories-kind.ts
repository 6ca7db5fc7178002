/**
 * What the makers share whose service takes a form with the serial number of the slave, and returns an image of each
 * memory. Built from public facts; nothing was tried against such a service.
 */
import { readZipDirectory, type Zip } from '@recodery/codec/diagnosis/archive';
import { tidy } from '@recodery/codec/recoding/information';
import type { ComponentName } from '@recodery/contract/families/family';
import { furtherMemories } from '@recodery/contract/families/memories';
import { recognizeArchive, recognizedBytes } from '@recodery/contract/recognize';
import { joinWords, memberOf, readErrorWords } from '../../encoding-api-client/error-words.ts';
import { RequestRefused, ServiceUnavailable } from '../../encoding-api-client/errors.ts';
import type { ServiceAccess, ServiceEngineKind } from '../kind.ts';
import { unreported } from '../unreported.ts';
import { createStatelessKind, type ServiceRead, unknownContext } from './stateless-kind.ts';

/** What differs between these makers. */
export interface MemoriesMaker {
  /** The headers of every request. */
  headers(access: ServiceAccess): Readonly<Record<string, string>>;
  readonly paths: { readonly decode: string; readonly encode: string };
  /** The serial number of the slave that wrote a read; `given`: the one that was chosen, or null. */
  readSlave(read: Buffer, given: string | null): string;
  /** The memories that the service names. */
  readonly memories: readonly ComponentName[];
  /** The memory of a read that is returned as one image, without a name. */
  readonly unnamed: string;
}

/** Files of the largest archive. */
const mostFiles = 16;

/** The file of a response, in Base64. */
function readFileOf(json: unknown): Buffer {
  const text = memberOf(json, 'output_file_base64');
  if (typeof text !== 'string') throw new ServiceUnavailable('the response contains no file');
  const base64 = text.replace(/\s+/g, '');
  // there is no hash: a response that was cut must not be taken for a shorter file
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new ServiceUnavailable('the file in the response is damaged');
  if (base64 === '') throw new RequestRefused('the service returned an empty file');
  return Buffer.from(base64, 'base64');
}

/** Why the service refuses; null: it does not. */
function findRefusal(json: unknown): string | null {
  const status = memberOf(json, 'status');
  if (typeof status !== 'string' || status.toUpperCase() !== 'ERROR') return null;
  const errors = memberOf(json, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : errors;
  const words = [memberOf(json, 'message'), first].map((one) => joinWords(readErrorWords(one)));
  const said = [...new Set(words)].filter((text) => text !== '');
  return said.length === 0 ? 'the service refuses the file without a reason' : said.join(': ');
}

/** The image of a memory, and its name as the service writes it. */
interface Memory {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The files in an archive of the service. */
function unpack({ hasPassword, count, files }: Zip, maxFileBytes: number): readonly Memory[] {
  if (hasPassword) throw new RequestRefused('the service returned an archive with a password');
  if (count > mostFiles)
    throw new RequestRefused(`the service returned an archive of more than ${mostFiles} files`);
  // what an entry states is also the most that it is unpacked to
  if (files.reduce((sum, { size }) => sum + size, 0) > maxFileBytes)
    throw new RequestRefused('the images in the archive are too large');
  return files.map(({ name, extract }) => {
    const bytes = extract();
    if (bytes === null) throw new ServiceUnavailable('the archive in the response is damaged');
    if (bytes.length === 0)
      throw new RequestRefused('the service returned an empty file in its archive');
    return {
      name: (name.split('/').at(-1) ?? name).replace(/\.[^.]*$/, ''),
      bytes: Buffer.from(bytes),
    };
  });
}

/** Gives each memory a component: its own, in any case, or one for memories of other names. None is left out. */
function assign(memories: readonly Memory[], named: readonly ComponentName[]) {
  const assigned = new Map<ComponentName, Memory>();
  for (const memory of memories) {
    const own = named.find((name) => name === memory.name.toLowerCase());
    const free = [...(own === undefined ? [] : [own]), ...furtherMemories].find(
      (component) => !assigned.has(component),
    );
    if (free === undefined)
      throw new RequestRefused(
        `the service returned too many memories of unknown names: ${tidy(memory.name)}`,
      );
    assigned.set(free, free === own ? { ...memory, name: free } : memory);
  }
  return assigned;
}

function isArchive(file: Buffer): boolean {
  return recognizeArchive(file.subarray(0, recognizedBytes)) === 'zip';
}

/** The images of a read. Some public clients unpack an archive, and others expect one image: the content decides. */
function openRead(
  file: Buffer,
  maker: MemoriesMaker,
  maxFileBytes: number,
): Pick<ServiceRead, 'images' | 'mode'> & { readonly types: Readonly<Record<string, string>> } {
  if (!isArchive(file))
    return {
      mode: 'obd',
      images: [{ component: 'obd', bytes: file }],
      types: { obd: maker.unnamed },
    };
  const zip = readZipDirectory(file);
  if (zip === null) throw new ServiceUnavailable('the archive in the response is damaged');
  const assigned = [...assign(unpack(zip, maxFileBytes), maker.memories)];
  return {
    mode: 'bootbench',
    images: assigned.map(([component, { bytes }]) => ({ component, bytes })),
    types: Object.fromEntries(assigned.map(([component, { name }]) => [component, name])),
  };
}

/** The kind of such a maker's service. */
export function createMemoriesKind(maker: MemoriesMaker): ServiceEngineKind {
  const { headers, paths } = maker;
  return createStatelessKind({
    headers,
    findRefusal,
    decode: {
      request(read, given) {
        const sn = maker.readSlave(read, given);
        return { path: paths.decode, content: { form: { sn, input_file: read } }, known: { sn } };
      },
      read(json, { known, maxFileBytes }) {
        const { types, ...opened } = openRead(readFileOf(json), maker, maxFileBytes);
        const serialNumber = tidy(String(known['sn']));
        return {
          ...opened,
          name: null,
          context: { ...known, types },
          facts: { information: { ...unreported.information, serialNumber } },
        };
      },
    },
    encode: {
      sealsEach: true,
      request(images, { sn, types }) {
        const [[component, image] = []] = images;
        const type = component === undefined ? undefined : memberOf(types, component);
        if (image === undefined || typeof sn !== 'string' || typeof type !== 'string')
          throw new RequestRefused(unknownContext);
        const form = { sn, input_file: image, memory_type: type };
        return { path: paths.encode, content: { form } };
      },
      read: readFileOf,
    },
  });
}
