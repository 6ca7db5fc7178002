/**
 * The key file that describes a slave to the device simulator: written by the operator's export, read by the simulator.
 */
import { families, type Family } from '@recodery/contract/families/registry';
import type { Slave } from '@recodery/codec/simulator/slave';

const format = 'recodery-slave-key/1';

/** The text of a slave's key file. It contains the pair key: write it with mode 0600. */
export function writeSlaveKey(slave: Slave): string {
  const { family, keyId, masterSerial, slaveSerial } = slave;
  const pairKey = Buffer.from(slave.pairKey).toString('hex');
  return `${JSON.stringify({ format, family, slaveSerial, masterSerial, keyId, pairKey }, null, 2)}\n`;
}

/** The slave that a key file describes, or null when the text is not a key file. */
export function readSlaveKey(text: string): Slave | null {
  const value = parseObject(text);
  if (value === null || value.format !== format) return null;
  const { family, slaveSerial, masterSerial, keyId, pairKey } = value;
  if (
    !isFamily(family) ||
    typeof slaveSerial !== 'string' ||
    typeof masterSerial !== 'string' ||
    typeof keyId !== 'number' ||
    typeof pairKey !== 'string' ||
    !/^[0-9a-f]{64}$/i.test(pairKey)
  ) {
    return null;
  }
  return { family, slaveSerial, masterSerial, keyId, pairKey: Buffer.from(pairKey, 'hex') };
}

function isFamily(value: unknown): value is Family {
  return families.some((family) => family === value);
}

function parseObject(text: string): Record<string, unknown> | null {
  // The simulator's caller can name any file as the key.
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
