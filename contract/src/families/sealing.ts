/** How long a slave accepts a file that its maker's service has sealed. */
import { definitionOf, type Family } from './registry.ts';

const hour = 3_600_000;

/** Of a file that a maker's service has sealed: when, and until when its slave accepts it; null: without a limit. */
export interface Sealing {
  readonly sealedOn: string;
  readonly expiresOn: string | null;
}

/** The sealing of a file as pages see it; empty for a file that no service sealed. */
export function describeSealing(family: Family, sealedOn: string | undefined): Partial<Sealing> {
  if (sealedOn === undefined) return {};
  return { sealedOn, expiresOn: findSealEnd(family, new Date(sealedOn))?.toISOString() ?? null };
}

/** Whether the files that a maker's service seals for a family expire. */
export function doFilesExpire(family: Family): boolean {
  return (definitionOf(family).sealing?.hoursValid ?? null) !== null;
}

/**
 * Whether a sealed file can still be delivered: half of its time is left, because it is written to a vehicle after its
 * download. A file that does not expire always can.
 */
export function isSealFresh(family: Family, sealedOn: Date, now: Date): boolean {
  const end = findFreshEnd(family, sealedOn);
  return end === null || now <= end;
}

/** Until when a file that was sealed at this time is delivered as it is; null: always. */
export function findFreshEnd(family: Family, sealedOn: Date): Date | null {
  const end = findSealEnd(family, sealedOn);
  return end && new Date((sealedOn.getTime() + end.getTime()) / 2);
}

/** When the slave stops accepting a file that was sealed at this time; null: never. */
export function findSealEnd(family: Family, sealedOn: Date): Date | null {
  const hours = definitionOf(family).sealing?.hoursValid ?? null;
  return hours === null ? null : new Date(sealedOn.getTime() + hours * hour);
}
