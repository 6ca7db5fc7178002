/** The icon of each device family, the same in the menu, on the home page and in lists. */
import type { Family } from '@recodery/contract/families/registry';
import CircuitBoard from 'lucide-react/icons/circuit-board';
import Cpu from 'lucide-react/icons/cpu';
import PlugZap from 'lucide-react/icons/plug-zap';
import type { IconPart } from './icon.tsx';

export const familyIcons: Readonly<Record<Family, IconPart>> = {
  kess3: Cpu,
  kessv2: PlugZap,
  ktag: CircuitBoard,
};
