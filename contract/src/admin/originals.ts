/** The originals library: the unmodified images of ECUs, for Virtual Reading and for the checks before an encode. */
import { resource } from './resource.ts';

/** Maximum bytes of an original; a protocol can have a lower limit. */
export const mostOriginalBytes = 32 * 2 ** 20;

export const originals = resource({
  name: 'originals',
  path: '/api/admin/originals',
  role: 'operator',
  title: 'software',
  fields: {
    /** The number of the protocol, such as `1002`. */
    protocol: { kind: 'text', edit: 'create', required: true, most: 10 },
    /** The numbers that a slave reports; null in a new record: those in the image. */
    hardware: { kind: 'text', edit: 'create', most: 64 },
    software: { kind: 'text', edit: 'create', most: 64 },
    image: { kind: 'file', edit: 'always', required: true, most: mostOriginalBytes },
    protocolName: { kind: 'text', edit: 'never', required: true },
    fileName: { kind: 'text', edit: 'never', required: true },
    sizeBytes: { kind: 'bytes', edit: 'never', required: true },
    addedOn: { kind: 'time', edit: 'never', required: true },
  },
  columns: ['software', 'hardware', 'protocol', 'protocolName', 'fileName', 'sizeBytes', 'addedOn'],
  search: ['software', 'hardware', 'protocol', 'protocolName', 'fileName'],
  sort: 'software',
  can: { create: true, update: true, remove: true },
  actions: [],
});
