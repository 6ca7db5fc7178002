/** What others have changed in the inputs that the page shows, until the user dismisses it. */
import Users from 'lucide-react/icons/users';
import X from 'lucide-react/icons/x';
import { timeText } from '../../../i18n/formats.ts';
import { type TextOf, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import type { DraftNews } from '../draft-news.ts';
import { lookOf } from '../families/part-look.ts';

function newsText(t: TextOf, { kind, part, by }: DraftNews): string {
  if (kind === 'unsaved' && part === null) return t('recoding.news.unsavedChoice');
  return t(`recoding.news.${kind}`, {
    by: by ?? t('recoding.news.someone'),
    part: part === null ? '' : t(lookOf(part).label),
  });
}

export interface DraftNewsPanelProps {
  readonly news: readonly DraftNews[];
  readonly now: Date;
  readonly onDismiss: () => void;
}

export function DraftNewsPanel({ news, now, onDismiss }: DraftNewsPanelProps) {
  const { t, language } = useTexts();
  return (
    // always there, so that a screen reader announces what appears in it
    <div role="status">
      {news.length > 0 && (
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1 rounded-s bg-modified-soft px-4 py-3 forced-colors:border">
          <Icon of={Users} size={20} className="mt-0.5 shrink-0 text-modified" />
          <div className="min-w-48 flex-1">
            <ul className="font-semibold">
              {news.map((one) => (
                <li key={`${one.kind} ${one.part}`}>
                  <LongText>{newsText(t, one)}</LongText>
                  {one.on !== null && (
                    <span className="text-md font-normal whitespace-nowrap text-ink-2">
                      {` ${timeText(one.on, now, language)}`}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            <p className="text-md text-ink-2">{t('recoding.news.advice')}</p>
          </div>
          <Button size="small" look="quiet" icon={X} className="ml-auto" onPress={onDismiss}>
            {t('recoding.part.dismiss')}
          </Button>
        </div>
      )}
    </div>
  );
}
