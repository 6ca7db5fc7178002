/**
 * Renders the short messages. React Aria still calls its toast unstable, so only this file uses it. It would announce
 * each message as an alert; our own status element next to it is polite, so that an error that is also on the page is
 * announced assertively only once.
 */
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import {
  Button as AriaButton,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { useTexts } from '../../i18n/texts.ts';
import { AriaLocale } from '../aria-locale.tsx';
import { Button } from '../actions/button.tsx';
import { buttonClass } from '../actions/button-look.ts';
import { Icon } from '../display/icon.tsx';
import { LongText } from '../display/long-text.tsx';
import { useIsPageCovered } from '../dialogs/open-dialogs.ts';
import { shownAtOnce, stay, type ToastWords, toasts } from './toast-list.ts';

const queue = new ToastQueue<ToastWords>({ maxVisibleToasts: shownAtOnce });
toasts.drainInto((words) => queue.add(words, words.action ? {} : { timeout: stay }));

const icons = {
  good: [CircleCheck, 'text-good'],
  bad: [CircleAlert, 'text-bad'],
  neutral: [Info, 'text-accent'],
} as const;

/**
 * At the bottom left, next to the menu: a page's main actions are on the right. Below the menu that is open over a
 * narrow page (z-35). A whole file name fits on one line.
 */
const place =
  'toast-list fixed inset-x-3 bottom-3 z-30 flex flex-col gap-2 rounded-m sm:right-auto sm:bottom-4 sm:left-4 sm:w-[30rem] sm:max-w-[calc(100vw-2rem)] lg:left-63 lg:w-[29rem] 2xl:w-[33rem]';

function Words({ title, detail, problem }: Pick<ToastWords, 'title' | 'detail' | 'problem'>) {
  return (
    <div className="min-w-44 flex-1">
      <Text slot="title" className="block text-md font-semibold break-words">
        {title}
      </Text>
      {(detail !== undefined || problem !== undefined) && (
        <Text slot="description" className="block text-sm">
          {detail !== undefined && (
            <span title={detail} className="line-clamp-3 text-ink-2">
              <LongText>{detail}</LongText>
            </span>
          )}
          {problem !== undefined && (
            <span className="mt-0.5 line-clamp-3 break-words text-bad">{problem}</span>
          )}
        </Text>
      )}
    </div>
  );
}

/** Waits while a dialog covers the page, also with its timers: nothing expires before the user can see it. */
export function ToastList() {
  const { t } = useTexts();
  const isCovered = useIsPageCovered();
  if (isCovered) return null;
  return (
    <AriaLocale>
      <ToastRegion queue={queue} aria-label={t('ui.notifications')} className={place}>
        {({ toast }) => {
          const { tone = 'neutral', action, ...words } = toast.content;
          const [icon, color] = icons[tone];
          return (
            <Toast
              toast={toast}
              className="flex items-start gap-x-3 rounded-m border border-line bg-surface px-3.5 py-3 shadow-pop"
            >
              <Icon of={icon} size={20} className={`mt-0.5 ${color}`} />
              {/* the text keeps its width: where the action does not fit next to it, the action is below it */}
              <ToastContent
                role="group"
                className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2"
              >
                <Words {...words} />
                {action && (
                  <Button
                    size="small"
                    onPress={() => {
                      action.onAction();
                      queue.close(toast.key);
                    }}
                  >
                    {action.label}
                  </Button>
                )}
              </ToastContent>
              <AriaButton
                slot="close"
                aria-label={t('ui.close')}
                className={buttonClass('quiet', 'small', true)}
              >
                <Icon of={X} />
              </AriaButton>
            </Toast>
          );
        }}
      </ToastRegion>
    </AriaLocale>
  );
}
