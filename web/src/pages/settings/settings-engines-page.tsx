/** The master devices of the organisation with their engines. */
import { EngineList } from '../../features/engines/engine-list.tsx';
import { useEngines } from '../../features/engines/engines.ts';
import { SettingsFrame } from './settings-sections.tsx';

export function EnginesPage() {
  return (
    <SettingsFrame query={useEngines()} path="/settings/engines" about="engines.about">
      {(masters) => <EngineList masters={masters} />}
    </SettingsFrame>
  );
}
