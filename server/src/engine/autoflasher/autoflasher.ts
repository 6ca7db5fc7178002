/**
 * The kind `autoflasher`: AutoFlasher's service for masters. Built from one public client program, which makes it the least
 * certain of the kinds; nothing was tried against the service.
 */
import { dumps, namedMemories } from '@recodery/contract/families/memories';
import { RequestRefused } from '../../encoding-api-client/errors.ts';
import { createMemoriesKind } from '../stateless/memories-kind.ts';

/** Where the serial number of the slave is in a read: bytes, the last one first. */
const serial = { start: 24, end: 32 };

export const autoflasherKind = createMemoriesKind({
  headers: ({ secret }) => ({ 'x-api-key': secret }),
  paths: { decode: '/decrypt', encode: '/encrypt' },
  readSlave(read) {
    if (read.length < serial.end)
      throw new RequestRefused('the file is too short to be a read file of AutoFlasher');
    const bytes = Buffer.from(read.subarray(serial.start, serial.end));
    return bytes.reverse().toString('hex').toUpperCase();
  },
  memories: [...namedMemories, ...dumps],
  unnamed: 'full_dump',
});
