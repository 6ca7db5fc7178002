/** Why no file can be uploaded: the service is down. */
import { useTexts } from '../../../i18n/texts.ts';

export function EngineDown() {
  const { t } = useTexts();
  return (
    <p role="status" className="text-md text-modified">
      {t('recoding.engineDown')}
    </p>
  );
}
