/** The kinds of engine for vendors' services. A new kind is a folder, and a line here and in `contract/features/engines`. */
import type { ConnectionKind } from '@recodery/contract/features/engines';
import { autoflasherKind } from './autoflasher/autoflasher.ts';
import { autotunerKind } from './autotuner/autotuner.ts';
import { bflashKind } from './bflash/bflash.ts';
import { encodingApi } from './encoding-api/encoding-api.ts';
import { flexKind } from './flex/flex.ts';
import type { ServiceEngineKind } from './kind.ts';

export const serviceKinds: Readonly<Record<ConnectionKind, ServiceEngineKind>> = {
  'encoding-api': encodingApi,
  bflash: bflashKind,
  autotuner: autotunerKind,
  flex: flexKind,
  autoflasher: autoflasherKind,
};
