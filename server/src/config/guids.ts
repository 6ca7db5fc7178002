/** New GUIDs: UUIDv7 (RFC 9562, section 5.7), so that rows created one after another are stored next to each other. */
import { randomBytes } from 'node:crypto';

/**
 * A new UUIDv7 in lower case: 48 bits of the clock in milliseconds, the rest random. Not `crypto.randomUUIDv7`: the
 * first releases of Node 24 lack it.
 */
export function newGuid(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
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
