/** Acts as a slave of the demo, as `recodery device` does: seals what it has read, and opens what was encoded for it. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { acceptEncoded, inspect, sealRead, type Slave } from '@recodery/codec/simulator/slave';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Download } from '@playwright/test';
import type { Product } from './product.ts';

async function readSlave({ demoFile }: Product, keyFile: string): Promise<Slave> {
  const key = JSON.parse(await readFile(demoFile(`keys/${keyFile}`), 'utf8')) as Slave;
  return { ...key, pairKey: Buffer.from(String(key.pairKey), 'hex') };
}

/** Returns what the slave would flash from an encoded file, by component; rejects if it refuses. */
export async function flash(
  product: Product,
  encoded: Pick<Download, 'path'> | string,
  keyFile: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const file = await readFile(typeof encoded === 'string' ? encoded : await encoded.path());
  const { components } = acceptEncoded({ ...(await readSlave(product, keyFile)), file });
  return new Map(components.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
}

/** The SHA-256 of the components inside of a sealed file, by their type in its table. */
export async function hashesInside(
  product: Product,
  path: string,
  keyFile: string,
): Promise<ReadonlyMap<number, string>> {
  const { pairKey } = await readSlave(product, keyFile);
  const found = inspect(await readFile(path), pairKey);
  if (found.outcome !== 'OK') throw new Error(found.outcome);
  return new Map(found.components.map(({ type, sha256 }) => [type, sha256]));
}

/** A read of these images, as the slave writes it. */
export async function sealReadOf(
  product: Product,
  keyFile: string,
  protocolId: number,
  images: Readonly<Partial<Record<ComponentName, Uint8Array>>>,
  mode: Mode = 'obd',
): Promise<Buffer> {
  const components = Object.entries(images).map(([name, bytes]) => ({
    name: name as ComponentName,
    bytes,
  }));
  const read = sealRead({
    ...(await readSlave(product, keyFile)),
    protocolId,
    mode,
    components,
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
  return Buffer.from(read);
}
