/** The buttons at the bottom of the encode step: one primary button for the next action, the others secondary. */
import Download from 'lucide-react/icons/download';
import FilePlus from 'lucide-react/icons/file-plus';
import Repeat from 'lucide-react/icons/repeat';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Send from 'lucide-react/icons/send';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { type SplitAction, SplitButton } from '../../../ui/split-button.tsx';
import type { DecodedRead, FileLink } from '../decoded-read.ts';
import { DownloadButton } from '../decode/download-button.tsx';
import { type Encode, isOpen, mayEncode } from '../flow/encode-flow.ts';
import { refusedParts } from '../inputs.ts';
import { lookOf } from '../families/part-look.ts';
import { useOpenPage } from '../flow/open-page.ts';

export interface EncodeActionsProps {
  /** Null when an encode was resumed without its read. */
  readonly read: DecodedRead | null;
  readonly encode: Encode;
}

/** Encode, and encode and send where that is allowed; the configured default comes first. */
function EncodeButton({ read, encode }: EncodeActionsProps) {
  const { t } = useTexts();
  const { page, entry, recoding } = useOpenPage();
  const [asked, setAsked] = useState<(() => void) | null>(null);
  const isPending = encode.at === 'requesting' || encode.at === 'encoding';
  const refused = refusedParts(encode.inputs).map((name) => t(lookOf(name).label));
  // The encoded file would lack a refused file, so the page asks for confirmation.
  const begin = (action: () => void) => () => {
    if (refused.length === 0) action();
    else setAsked(() => action);
  };
  const mayBegin = isOpen(encode) && read !== null && mayEncode(read, encode.inputs);
  const plain: SplitAction = {
    id: 'encode',
    text: isPending ? t('recoding.encoding') : t(page.words.encode),
    icon: ShieldCheck,
    onAction: begin(() => recoding.encode('parts')),
  };
  const send: SplitAction = {
    id: 'send',
    text: isPending ? t('recoding.encoding') : t(page.words.encodeAndSend),
    icon: Send,
    onAction: begin(() => recoding.dispatch({ type: 'send-asked', source: 'parts' })),
  };
  const both: [SplitAction, SplitAction] =
    entry.autoSendDefaultAction === 'EncodeAndSend' ? [send, plain] : [plain, send];
  return (
    <>
      <SplitButton
        actions={entry.isAutoSendEnabled ? both : [plain]}
        more={t('recoding.encodeMore')}
        isDisabled={!mayBegin && !isPending}
        isPending={isPending}
      />
      {asked !== null && (
        <Confirm
          title={t('recoding.refused.title', { parts: refused.join(', ') })}
          confirm={t('recoding.refused.confirm')}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            asked();
          }}
        >
          <p>{t('recoding.refused.about')}</p>
        </Confirm>
      )}
    </>
  );
}

/** Encodes the decoded image unchanged to restore the ECU; with a send variant where sending is allowed. */
function ReencodeButton({ encode }: Pick<EncodeActionsProps, 'encode'>) {
  const { t } = useTexts();
  const { entry, recoding } = useOpenPage();
  const plain: SplitAction = {
    id: 'reencode',
    text: t('recoding.reencode'),
    icon: Repeat,
    onAction: () => recoding.encode('decoded'),
  };
  const send: SplitAction = {
    id: 'reencode-and-send',
    text: t('recoding.reencodeAndSend'),
    icon: Send,
    onAction: () => recoding.dispatch({ type: 'send-asked', source: 'decoded' }),
  };
  return (
    <SplitButton
      look="secondary"
      actions={entry.isAutoSendEnabled ? [plain, send] : [plain]}
      more={t('recoding.reencodeMore')}
      isDisabled={!isOpen(encode)}
    />
  );
}

/** The encoded file, once it exists: the sender can also download what was sent. */
function encodedLink(encode: Encode): FileLink | null {
  if (encode.at === 'encoded') {
    const { name, size, encodedFileURL: url } = encode.result;
    return { name, size, url };
  }
  const news = encode.at === 'sent' ? encode.news : null;
  if (!news?.targetURL) return null;
  return { name: news.targetURLFileName ?? '', size: null, url: news.targetURL };
}

/** After success: download the file again, or encode another one. */
function DoneButtons({ encode }: Pick<EncodeActionsProps, 'encode'>) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const link = encodedLink(encode);
  return (
    <>
      <Button
        size="large"
        icon={FilePlus}
        onPress={() => recoding.dispatch({ type: 'another-asked' })}
      >
        {t('recoding.another')}
      </Button>
      {link !== null && 'operationGUID' in encode && (
        <DownloadButton
          look={encode.at === 'encoded' ? 'primary' : 'secondary'}
          size="large"
          icon={Download}
          operationGUID={encode.operationGUID}
          link={link}
        >
          {t('recoding.downloadEncoded')}
        </DownloadButton>
      )}
    </>
  );
}

export function EncodeActions(props: EncodeActionsProps) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const { read, encode } = props;
  const isOver = encode.at === 'encoded' || encode.at === 'sent';
  return (
    <div className="flex flex-col-reverse items-stretch justify-between gap-3 sm:flex-row sm:items-center">
      <Button
        look="quiet"
        size="large"
        icon={RotateCcw}
        onPress={recoding.reset}
        className="whitespace-nowrap"
      >
        {t('recoding.startOver')}
      </Button>
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:flex-wrap sm:justify-end">
        {isOver ? (
          <DoneButtons encode={encode} />
        ) : (
          <>
            {read?.isReencodePossible && <ReencodeButton encode={encode} />}
            <EncodeButton {...props} />
          </>
        )}
      </div>
    </div>
  );
}
