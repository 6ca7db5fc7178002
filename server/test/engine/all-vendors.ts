/** Every kind of engine that a vendor can have: each make's service, and one that speaks the Encoding API. */
import { definitionOf } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import type { Client } from '../fixtures/client.ts';
import { startFakeVendor, writeVendorRead } from '../fixtures/services/fake-vendor.ts';
import { startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { allMakes } from '../../src/demo/doubles/makes.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { startVendorPortal } from '../fixtures/vendor-portal.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { decodeEnd } from './encoding-api/vendor-workflow.ts';

/** A portal whose master of a family uses the engine of a vendor, which is a double. */
export interface Vendor {
  readonly family: string;
  readonly anna: Client;
  /** The file in which a slave of this vendor reads an image. */
  readonly seal: (image: Uint8Array) => Uint8Array;
  /** Uploads a file as a read, and waits for the end of its decoding. */
  readonly decode: (bytes: Uint8Array) => Promise<Operation>;
  readonly stop: () => Promise<void>;
}

async function startMake(make: (typeof allMakes)[number]): Promise<Vendor> {
  const { family } = make;
  const service = await startFakeService(make);
  const portal = await startTestPortal();
  await addMake(portal.platform, service);
  const anna = await portal.signIn('anna@demo.test');
  return {
    family,
    anna,
    seal: (image) => make.seal('Golf', image),
    async decode(bytes) {
      const name = `golf${definitionOf(family).readFileExtension}`;
      const file = { field: 'readFile', bytes, name };
      return anna.follow(
        started(await anna.upload('POST', `/api/${family}/upload-read-file`, file)),
      );
    },
    async stop() {
      await portal.stop();
      await service.stop();
    },
  };
}

async function startByApi(): Promise<Vendor> {
  const vendor = await startFakeVendor();
  const { portal, anna } = await startVendorPortal(vendor);
  return {
    family: 'kessv2',
    anna,
    seal: (image) => writeVendorRead({ family: 'kessv2', images: { OBD: Buffer.from(image) } }),
    decode: (bytes) => decodeEnd(anna, 'kessv2', bytes),
    async stop() {
      await portal.stop();
      await vendor.stop();
    },
  };
}

/** By the names of the vendors: how to start a portal with a master of each. */
export const vendors = [
  ...allMakes.map((make) => [make.family as string, () => startMake(make)] as const),
  ['the Encoding API', startByApi] as const,
];
