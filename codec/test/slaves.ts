/**
 * The slaves with which the codec's tests seal and open: fixed keys and salts, so that the same test creates the same
 * bytes.
 */

import { containerOf, definitionOf, type Family } from '@recodery/contract/families/registry';
import type { Mode } from '@recodery/contract/families/family';
import { derivePairKey } from '../src/container/cipher.ts';
import { sealRead } from '../src/simulator/slave.ts';
import type { DeviceComponent, ReadToSeal, Slave } from '../src/simulator/slave.ts';

/** `count` ascending bytes that start at `first`. */
export function rising(first: number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => first + index);
}

export const masterSecret = rising(0, 32);
export const salt = rising(0xa0, 32);
export const otherSalt = rising(0x40, 32);
export const readId = rising(0x10, 16);

const slaves = new Map<string, Slave>();

/** The slave of a family with a container, with key 1 by default. */
export function slaveOf(family: Family, keyId = 1): Slave {
  const known = slaves.get(`${family} ${keyId}`);
  if (known !== undefined) {
    return known;
  }
  const slaveSerial = containerOf(family).demoSlave;
  const masterSerial = `${slaveSerial.slice(0, 3)}-M-0001`;
  const pairKey = derivePairKey(masterSecret, family, masterSerial, slaveSerial, keyId);
  const slave = { family, pairKey, keyId, masterSerial, slaveSerial };
  slaves.set(`${family} ${keyId}`, slave);
  return slave;
}

/** Arbitrary bytes, the same for the same seed. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** The mode in which a family reads, if only one is possible or usual. */
export function usualModeOf(family: Family): Mode {
  return definitionOf(family).modes.obd === undefined ? 'bootbench' : 'obd';
}

/** A sealed read of open firmware (protocol 9000); any part can be overridden. */
export function sealedRead(
  family: Family,
  components: readonly DeviceComponent[],
  otherwise: Partial<ReadToSeal> = {},
): Uint8Array {
  return sealRead({
    ...slaveOf(family),
    protocolId: 9000,
    mode: usualModeOf(family),
    components,
    information: { vin: 'ZAR93900001234567', hardware: 'HW-1', software: 'SW-1' },
    identificationOnly: false,
    readId,
    fileSalt: salt,
    ...otherwise,
  });
}
