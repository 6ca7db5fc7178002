/** The ID file: the data of a read, for support, signed so that support can trust it. */

import { createHmac } from 'node:crypto';

/** The facts in an ID file in addition to the information fields. */
export interface IdFileFacts {
  readonly readId: string;
  readonly masterCode: string;
  readonly slaveSerial: string;
  readonly organisation: string;
  /** The id of the key that signs ID files. */
  readonly keyId: number;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * JSON by RFC 8785: keys in order of their UTF-16 units, no whitespace, numbers and texts as ECMAScript writes them.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new RangeError('RFC 8785 has no way to write a lone surrogate');
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError('JSON has no such number');
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

/**
 * The ID file's bytes: canonical JSON of the information fields (`Decoded.information`) and the facts, with the
 * HMAC-SHA-256 (hexadecimal) of the same JSON without it.
 */
export function buildIdFile(
  information: Readonly<Record<string, string | null>>,
  facts: IdFileFacts,
  hmacKey: Uint8Array,
): Uint8Array {
  const content = {
    ...mapValues(information),
    format: 'tfc-id/1',
    readId: facts.readId,
    masterCode: facts.masterCode,
    slaveSerial: facts.slaveSerial,
    organisation: facts.organisation,
    keyId: facts.keyId,
  };
  const hmac = createHmac('sha256', hmacKey).update(canonicalJson(content)).digest('hex');
  return new TextEncoder().encode(canonicalJson({ ...content, hmac }));
}

/** A slave may have written half a surrogate pair; that must not prevent the creation of the ID file. */
function mapValues(
  information: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(information).map(([key, value]) => [key, value?.toWellFormed() ?? null]),
  );
}
