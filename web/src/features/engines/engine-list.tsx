/** The master devices with the engine that serves each of them, and what it does not offer; read-only. */
import {
  builtInEngine,
  type EngineKind,
  type EngineOffers,
} from '@recodery/contract/features/engines';
import { definitionOf, definitions, type Family } from '@recodery/contract/families/registry';
import Cpu from 'lucide-react/icons/cpu';
import { listText } from '../../i18n/formats.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { iconOf } from '../recoding/families/registry.ts';
import type { MasterEngine } from './engines.ts';

/** Features that pages hide if an engine does not offer them, in the order of a workflow. */
const named = [
  'utility',
  'imageChecks',
  'componentRemoval',
  'checksumSkip',
  'cvnCorrection',
] as const satisfies readonly (keyof EngineOffers)[];

/** A maker's service has the name of its family. */
const isMaker = (kind: EngineKind): kind is EngineKind & Family => kind in definitions;

function kindText(t: TextOf, kind: EngineKind): string {
  return isMaker(kind)
    ? t('engines.kind.maker', { name: definitionOf(kind).name })
    : t(`engines.kind.${kind}`);
}

function Row({ master }: { readonly master: MasterEngine }) {
  const { t, language } = useTexts();
  const { family, groupCode, masterDeviceSerialNumber, engine } = master;
  const missing = named.filter((offer) => !engine.offers[offer]);
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-2 border-line px-4 py-4 not-first:border-t sm:px-[22px] md:grid-cols-2">
      <div className="flex min-w-0 gap-3.5">
        <Icon of={iconOf(family)} size={20} className="mt-0.5 text-accent" />
        <div className="min-w-0">
          <h2 className="text-base">
            {definitionOf(family).name}{' '}
            <span className="font-mono text-md font-normal">
              <LongText>{masterDeviceSerialNumber}</LongText>
            </span>
          </h2>
          <p className="text-sm text-ink-3">{groupCode}</p>
        </div>
      </div>
      <div className="min-w-0 max-md:pl-[34px]">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {engine.name !== builtInEngine && <LongText>{engine.name}</LongText>}
          <Badge state="neutral">{kindText(t, engine.kind)}</Badge>
        </p>
        {missing.length > 0 && (
          <p className="mt-1 text-sm text-ink-3">
            {t('engines.missing', {
              offers: listText(
                missing.map((offer) => t(`engines.offer.${offer}`)),
                language,
              ),
            })}
          </p>
        )}
      </div>
    </li>
  );
}

export function EngineList({ masters }: { readonly masters: readonly MasterEngine[] }) {
  const { t } = useTexts();
  if (masters.length === 0) {
    return (
      <Panel>
        <EmptyState icon={Cpu} title={t('engines.empty')}>
          {t('engines.invitation')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <ul className="overflow-hidden rounded-l border border-line bg-surface">
      {masters.map((master) => (
        <Row
          key={`${master.family} ${master.groupCode} ${master.masterDeviceSerialNumber}`}
          master={master}
        />
      ))}
    </ul>
  );
}
