/** The routes of all families. To add a family, add its file and a line here. */
import type { Family } from '@recodery/contract/families/registry';
import type { Door } from '../../http/serve.ts';
import { serveDrafts } from '../draft-routes.ts';
import { serveEngines } from '../engine-routes.ts';
import type { FamilyDoor, FamilyDoorDependencies } from './family-routes.ts';
import { kess3 } from './kess3.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';

const doors: Readonly<Record<Family, FamilyDoor>> = { kessv2, ktag, kess3 };

/** The routes of a family. */
export function getFamilyDoor(family: Family): FamilyDoor {
  return doors[family];
}

/** Registers the calls of all families. */
export function serveRecoding(door: Door, deps: FamilyDoorDependencies): void {
  serveDrafts(door, deps);
  serveEngines(door, deps);
  for (const { serve } of Object.values(doors)) serve(door, deps);
}
