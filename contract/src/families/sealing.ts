/** How long a slave accepts a file that its maker's service has sealed. */
import { definitionOf, type Family } from './registry.ts';

const hour = 3_600_000;

/** When the slave stops accepting a file that was sealed at this time; null: never. */
export function findSealEnd(family: Family, sealedOn: Date): Date | null {
  const hours = definitionOf(family).sealing?.hoursValid ?? null;
  return hours === null ? null : new Date(sealedOn.getTime() + hours * hour);
}
