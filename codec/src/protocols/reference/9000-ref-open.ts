/** 9000 REF-OPEN: any image of any family, without checks; for open-source firmware. */

import { type ComponentName, containerComponents, modes } from '@recodery/contract/families/family';
import { definitionOf, families } from '@recodery/contract/families/registry';
import type { ComponentSpec, Protocol } from '../shape.ts';

const anyImage = (name: ComponentName): ComponentSpec => ({
  name,
  sizes: { min: 0x400, max: 0x1000000 },
  required: false,
});

export const refOpen: Protocol = {
  id: 9000,
  name: 'REF-OPEN',
  families: families.map((family) => ({
    family,
    modes: modes.filter((mode) =>
      definitionOf(family).modes[mode]?.some((name) =>
        containerComponents.some((component) => component === name),
      ),
    ),
  })),
  components: containerComponents.map(anyImage),
};
