/** The families whose doors are open. Another family is its own file and a line here. */
import type { Family } from '@recodery/contract/families';
import type { Door } from '../http/serve.ts';
import type { FamilyDoor, FamilyDoorDependencies } from './family-door.ts';
import { kessv2 } from './kessv2-routes.ts';

const doors: Readonly<Partial<Record<Family, FamilyDoor>>> = { kessv2 };

/** The door of a family. @throws when it has none yet */
export function getFamilyDoor(family: Family): FamilyDoor {
  const found = doors[family];
  if (found === undefined) throw new Error(`${family} has no door`);
  return found;
}

/** Serves the calls of all families. */
export function serveRecoding(door: Door, deps: FamilyDoorDependencies): void {
  for (const { serve } of Object.values(doors)) serve(door, deps);
}
