/** The name and icon of each part of a read. */
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

const icons: Readonly<Record<string, IconPart>> = {
  modified: FilePen,
  original: FileInput,
  flash: Cpu,
  micro: Microchip,
  eeprom: Database,
  tuningfile: SlidersHorizontal,
  mapfile: MapIcon,
};
const known: readonly string[] = [...Object.keys(icons), ...memories];

/** How a part is displayed; families differ only in how they write its name. */
export function lookOf(part: PartName): PartLook {
  const own = part.toLowerCase();
  const name = known.includes(own) ? own : 'modified';
  return {
    icon: icons[name] ?? Microchip,
    label: `recoding.part.${name}` as TextKey,
    drop: `recoding.part.drop${name === 'original' ? 'Original' : 'Modified'}`,
  };
}
