/** The protocols that this engine supports, and how to look one up. */

import { type ComponentName, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import type { ComponentSizes, ComponentSpec, Protocol } from './shape.ts';
import { refObd512K } from './reference/1001-ref-obd-512k.ts';
import { refObdVr } from './reference/1002-ref-obd-vr.ts';
import { refObdOri } from './reference/1003-ref-obd-ori.ts';
import { refObd2M } from './reference/1004-ref-obd-2m.ts';
import { refObdTarget } from './reference/1005-ref-obd-target.ts';
import { refObdSigned } from './reference/1006-ref-obd-signed.ts';
import { refObdXor } from './reference/1007-ref-obd-xor.ts';
import { refKtagFull } from './reference/2001-ref-ktag-full.ts';
import { refKtagSmall } from './reference/2002-ref-ktag-small.ts';
import { refKtagTable } from './reference/2003-ref-ktag-table.ts';
import { refKtagMirror } from './reference/2004-ref-ktag-mirror.ts';
import { refBenchFull } from './reference/3001-ref-bench-full.ts';
import { refBenchMicro } from './reference/3002-ref-bench-micro.ts';
import { refBenchBlocks } from './reference/3003-ref-bench-blocks.ts';
import { refOpen } from './reference/9000-ref-open.ts';

/** Every protocol, in ascending order of id. */
export const protocols: readonly Protocol[] = [
  refObd512K,
  refObdVr,
  refObdOri,
  refObd2M,
  refObdTarget,
  refObdSigned,
  refObdXor,
  refKtagFull,
  refKtagSmall,
  refKtagTable,
  refKtagMirror,
  refBenchFull,
  refBenchMicro,
  refBenchBlocks,
  refOpen,
];

const byId = new Map(protocols.map((protocol) => [protocol.id, protocol]));

/** The protocol with this id, or null if this engine does not know it. */
export function findProtocol(id: number): Protocol | null {
  return byId.get(id) ?? null;
}

/** Whether this family uses the protocol in this mode. */
export function isUsedBy(protocol: Protocol, family: Family, mode: Mode): boolean {
  return protocol.families.some((use) => use.family === family && use.modes.includes(mode));
}

/**
 * The components that a read of this family and mode can contain and that the protocol has: `obd` alone through the
 * diagnostic socket, else the family's own types. Empty if the family or mode does not use the protocol.
 */
export function componentsFor(
  protocol: Protocol,
  family: Family,
  mode: Mode,
): readonly ComponentSpec[] {
  if (!isUsedBy(protocol, family, mode)) {
    return [];
  }
  const names = definitionOf(family).modes[mode] ?? [];
  return protocol.components.filter(({ name }) => names.includes(name));
}

/** The protocol's component with this name, or null if it has none. */
export function findComponent(protocol: Protocol, name: ComponentName): ComponentSpec | null {
  return protocol.components.find((component) => component.name === name) ?? null;
}

/** The component that the hardware and software number of a read come from; null: the protocol knows no identification. */
export function identifiedComponent(protocol: Protocol): ComponentSpec | null {
  return protocol.components.find(({ ident }) => ident !== undefined) ?? null;
}

/** Whether the protocol defines the checksums of a component itself, or it is no image. */
export function hasOwnChecksums({ checksums, format }: ComponentSpec): boolean {
  return checksums !== undefined || format !== undefined;
}

/** Whether a component may have this size in bytes. */
export function isSizeAllowed(sizes: ComponentSizes, size: number): boolean {
  return 'min' in sizes ? size >= sizes.min && size <= sizes.max : sizes.includes(size);
}
