/** The operator's messages above the page, each with a close button. */
import type { Message } from '@recodery/contract/features/messages';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { closeMessage, messagesQuery } from './messages.ts';

const Banner = onDemand(async () => (await import('../../ui/display/banner.tsx')).Banner);

export function MessageBanners() {
  const { t, language } = useTexts();
  const queries = useQueryClient();
  const { data } = useQuery(messagesQuery(language));
  const close = (closed: Message): void => {
    closeMessage(queries, closed);
    // The button disappears with its message; the focus moves to the page.
    document.getElementById('content')?.focus({ preventScroll: true });
  };
  return data?.unseen.map((shown) => (
    <Banner
      key={shown.guid}
      tone="info"
      action={
        <Button
          look="quiet"
          size="small"
          icon={X}
          label={t('ui.close')}
          onPress={() => close(shown)}
        />
      }
    >
      <p className="whitespace-pre-line break-words">{shown.text}</p>
    </Banner>
  ));
}
