/** The storage of the organisation, the retention of its jobs, and their full export. */
import { StoragePanel } from '../features/jobs/storage-panel.tsx';
import { useStorageSettings } from '../features/jobs/storage.ts';
import { SettingsFrame } from './settings-sections.tsx';

export function StoragePage() {
  return (
    <SettingsFrame query={useStorageSettings()} path="/settings/storage" about="storage.about">
      {(settings) => <StoragePanel settings={settings} />}
    </SettingsFrame>
  );
}
