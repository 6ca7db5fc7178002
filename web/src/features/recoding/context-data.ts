/** What an encode carries along of its own, so that a page that is loaded anew finds the read and what was laid out for it. */
import type { DecodedRead } from './decoded-read.ts';
import { freshInputs, type Inputs, type SettledPart } from './inputs.ts';
import type { EncodeRequest } from './family-page.ts';

/** Longer names are cut: the server keeps at most 4 KiB of context. */
const longestName = 80;

const operation = 'decodeOperationGUID';
const uploaded = 'uploaded.';
const removed = 'removed.';
const cvn = 'correctsCVN';
const checksum = 'skipsChecksum';

/** The context of an encode. */
export function writeContext({
  read,
  inputs,
  source,
}: Pick<EncodeRequest, 'read' | 'inputs' | 'source'>): string {
  const context = new URLSearchParams({ [operation]: read.operationGUID });
  // Encoding the decoded file again takes none of the uploads.
  const parts = source === 'parts' ? Object.entries(inputs.parts) : [];
  for (const [name, part] of parts) {
    if (part.at === 'removed') context.set(`${removed}${name}`, '');
    if (part.at !== 'complete') continue;
    context.set(`${uploaded}${name}`, `${part.fileGUID} ${part.file.name.slice(0, longestName)}`);
  }
  if (inputs.correctsCVN) context.set(cvn, '');
  if (inputs.skipsChecksum) context.set(checksum, '');
  return context.toString();
}

/** The operation that decoded the read, or null where the context is another program's. */
export function decodeOperationIn(contextData: string | null): string | null {
  return new URLSearchParams(contextData ?? '').get(operation);
}

function partIn(context: URLSearchParams, name: string): SettledPart {
  if (context.has(`${removed}${name}`)) return { at: 'removed', kept: null };
  const [fileGUID = '', ...words] = (context.get(`${uploaded}${name}`) ?? '').split(' ');
  if (fileGUID === '') return { at: 'ready', fault: null };
  const file = { name: words.join(' '), size: null };
  return { at: 'complete', file, fileGUID, changes: null };
}

/** What had been laid out when the encode was asked for; nothing where the context is another program's. */
export function inputsIn(contextData: string | null, read: DecodedRead): Inputs<SettledPart> {
  if (decodeOperationIn(contextData) === null) return freshInputs(read);
  const context = new URLSearchParams(contextData ?? '');
  return {
    parts: Object.fromEntries(read.parts.map(({ name }) => [name, partIn(context, name)])),
    correctsCVN: context.has(cvn),
    skipsChecksum: context.has(checksum),
  };
}
