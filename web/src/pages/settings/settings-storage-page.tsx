/** The storage of the organisation, the retention of its jobs, and their full export. */
import { StoragePanel } from '../../features/jobs/storage/storage-panel.tsx';
import { useStorageSettings } from '../../features/jobs/storage/storage.ts';
import { useSession } from '../../features/session/session.ts';
import { SettingsFrame } from './settings-sections.tsx';

export function StoragePage() {
  const query = useStorageSettings();
  const { isManager } = useSession();
  return (
    <SettingsFrame query={query} path="/settings/storage" about="storage.about" isManaged>
      {(settings) => <StoragePanel settings={settings} canManage={isManager} />}
    </SettingsFrame>
  );
}
