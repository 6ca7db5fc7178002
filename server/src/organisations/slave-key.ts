/**
 * The key file that describes a slave to the device simulator: written by the operator's export, read by the simulator.
 */
import { families } from '@recodery/contract/families/registry';
import type { Slave } from '@recodery/codec/simulator/slave';
import * as z from 'zod/mini';

const format = 'recodery-slave-key/1';

const keyFile = z.object({
  format: z.literal(format),
  family: z.enum(families),
  slaveSerial: z.string(),
  masterSerial: z.string(),
  keyId: z.number(),
  pairKey: z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
});

/** The text of a slave's key file. It contains the pair key: write it with mode 0600. */
export function writeSlaveKey(slave: Slave): string {
  const { family, keyId, masterSerial, slaveSerial } = slave;
  const pairKey = Buffer.from(slave.pairKey).toString('hex');
  return `${JSON.stringify({ format, family, slaveSerial, masterSerial, keyId, pairKey }, null, 2)}\n`;
}

/** The slave that a key file describes, or null when the text is not a key file. */
export function readSlaveKey(text: string): Slave | null {
  // The simulator's caller can name any file as the key.
  try {
    const { family, slaveSerial, masterSerial, keyId, pairKey } = keyFile.parse(JSON.parse(text));
    return { family, slaveSerial, masterSerial, keyId, pairKey: Buffer.from(pairKey, 'hex') };
  } catch {
    return null;
  }
}
