/** The name and icon of each part of a read. */
import type { ComponentName } from '@recodery/contract/families/family';
import { memories } from '@recodery/contract/families/memories';
import Cpu from 'lucide-react/icons/cpu';
import Database from 'lucide-react/icons/database';
import FileInput from 'lucide-react/icons/file-input';
import FilePen from 'lucide-react/icons/file-pen';
import MapIcon from 'lucide-react/icons/map';
import Microchip from 'lucide-react/icons/microchip';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import type { TextKey } from '../../../i18n/texts.ts';
import type { IconPart } from '../../../ui/display/icon.tsx';
import type { PartName } from '../decoded-read.ts';

export interface PartLook {
  readonly icon: IconPart;
  readonly label: TextKey;
  /** Which file to drop into an empty row. */
  readonly drop: TextKey;
}

const modified = 'recoding.part.dropModified';
const memoryLooks = Object.fromEntries(
  memories.map((name) => [
    name,
    { icon: Microchip, label: `recoding.part.${name}` as const, drop: modified },
  ]),
) as Readonly<Record<(typeof memories)[number], PartLook>>;

/** The one image of an OBD read is the part `modified`. */
type NamedPart = Exclude<ComponentName, 'obd'> | 'modified' | 'original';
const looks: Readonly<Record<NamedPart, PartLook>> = {
  modified: { icon: FilePen, label: 'recoding.part.modified', drop: modified },
  original: {
    icon: FileInput,
    label: 'recoding.part.original',
    drop: 'recoding.part.dropOriginal',
  },
  flash: { icon: Cpu, label: 'recoding.part.flash', drop: modified },
  micro: { icon: Microchip, label: 'recoding.part.micro', drop: modified },
  eeprom: { icon: Database, label: 'recoding.part.eeprom', drop: modified },
  tuningfile: { icon: SlidersHorizontal, label: 'recoding.part.tuningfile', drop: modified },
  mapfile: { icon: MapIcon, label: 'recoding.part.mapfile', drop: modified },
  ...memoryLooks,
};
const looksByName: Readonly<Partial<Record<string, PartLook>>> = looks;
const unknown: PartLook = { icon: FilePen, label: 'recoding.part.modified', drop: modified };

/** How a part is displayed; families differ only in how they write its name. */
export function lookOf(part: PartName): PartLook {
  return looksByName[part.toLowerCase()] ?? unknown;
}
