/** New GUIDs: UUIDv7 (RFC 9562, section 5.7), so that rows created one after another are stored next to each other. */
import { randomBytes } from 'node:crypto';

/** If the clock is set back by more, GUIDs follow it: they must not stay in the future after one wrong time. Milliseconds. */
const smallStep = 10_000;
/** The time and the counter of the last GUID. */
const last = { milliseconds: 0, counter: 0 };

/**
 * A new UUIDv7 in lower case: 48 bits of the clock in milliseconds, a counter of 12 bits (RFC 9562, section 6.2, method 1),
 * the rest random. Within a process, each is greater than the one before, because lists are sorted by GUID; unless the
 * clock is set back by more than ten seconds. Not `crypto.randomUUIDv7`: the first releases of Node 24 lack it.
 */
export function newGuid(): string {
  const now = Date.now();
  const bytes = randomBytes(16);
  if (now > last.milliseconds || now < last.milliseconds - smallStep) {
    last.milliseconds = now;
    // the upper half is left for the others of the same millisecond
    last.counter = bytes.readUInt16BE(6) & 0x7ff;
  } else if (last.counter < 0xfff) last.counter += 1;
  else {
    last.milliseconds += 1;
    last.counter = 0;
  }
  bytes.writeUIntBE(last.milliseconds, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return formatGuid(bytes);
}

/** The GUID of 16 bytes. */
export function formatGuid(bytes: Buffer): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(bytes.toString('hex')) ?? [];
  return parts.slice(1).join('-');
}

const guidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a GUID; others are never used in a query, because the database would throw. */
export function isGuid(text: string): boolean {
  return guidForm.test(text);
}
