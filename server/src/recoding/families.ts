/** The doors of all families. Another family is its own file and a line here. */
import type { Family } from '@recodery/contract/families';
import type { Door } from '../http/serve.ts';
import { serveDrafts } from './draft-routes.ts';
import type { FamilyDoor, FamilyDoorDependencies } from './family-door.ts';
import { kess3 } from './kess3-routes.ts';
import { kessv2 } from './kessv2-routes.ts';
import { ktag } from './ktag-routes.ts';

const doors: Readonly<Record<Family, FamilyDoor>> = { kessv2, ktag, kess3 };

/** The door of a family. */
export function getFamilyDoor(family: Family): FamilyDoor {
  return doors[family];
}

/** Serves the calls of all families. */
export function serveRecoding(door: Door, deps: FamilyDoorDependencies): void {
  serveDrafts(door, deps);
  for (const { serve } of Object.values(doors)) serve(door, deps);
}
