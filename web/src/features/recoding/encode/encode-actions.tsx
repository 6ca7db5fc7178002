/** The buttons at the bottom of the encode step: one primary button for the next action, the others secondary. */
import Download from 'lucide-react/icons/download';
import FilePlus from 'lucide-react/icons/file-plus';
import Repeat from 'lucide-react/icons/repeat';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Send from 'lucide-react/icons/send';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { useConfig } from '../../service-status/service-status.ts';
import { SendFile } from '../../sending/open-send-file.ts';
import { type SplitAction, SplitButton } from '../../../ui/actions/split-button.tsx';
import type { DecodedRead, FileLink } from '../decoded-read.ts';
import { DownloadButton } from '../decode/download-button.tsx';
import { type Encode, isOpen, mayEncode, mayReencode } from '../flow/state/encode-flow.ts';
import { fileGUIDOf } from '../../../api/files/fresh-address.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { slaveOf } from '../flow/part-state-text.ts';
import { useEncodeQuestions } from './encode-questions.tsx';
import { PreflightReason } from './preflight-lines.tsx';
import { isBlocked, type Preflight } from './use-preflight.ts';

export interface EncodeActionsProps {
  /** Null when an encode was resumed without its read. */
  readonly read: DecodedRead | null;
  readonly encode: Encode;
  readonly preflight: Preflight;
}

/** Encode, and encode and send where that is allowed; the configured default comes first. */
function EncodeButton({ read, encode, preflight }: EncodeActionsProps) {
  const { t } = useTexts();
  const { page, entry, recoding } = useOpenPage();
  const { begin, question } = useEncodeQuestions(encode, preflight);
  const isPending = encode.at === 'requesting' || encode.at === 'encoding';
  const mayBegin =
    isOpen(encode) && read !== null && mayEncode(read, encode.inputs) && !isBlocked(preflight);
  const plain: SplitAction = {
    id: 'encode',
    text: isPending ? t('recoding.encoding') : t(page.words.encode),
    icon: ShieldCheck,
    onAction: () => begin(() => recoding.encode('parts')),
  };
  const send: SplitAction = {
    id: 'send',
    text: isPending ? t('recoding.encoding') : t(page.words.encodeAndSend),
    icon: Send,
    onAction: () => begin(() => recoding.dispatch({ type: 'send-asked', source: 'parts' })),
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
      {question}
    </>
  );
}

/** Encodes the decoded image unchanged to restore the ECU; with a send variant where sending is allowed. */
function ReencodeButton({
  read,
  encode,
}: Pick<EncodeActionsProps, 'encode'> & { readonly read: DecodedRead }) {
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
      isDisabled={!isOpen(encode) || !mayReencode(read, encode.inputs)}
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

/** Sends the encoded file, also after it was tested, and again to another address. */
function SendButton({ read, link }: { readonly read: DecodedRead; readonly link: FileLink }) {
  const { t } = useTexts();
  const { entry, page } = useOpenPage();
  const { sendsEmail } = useConfig();
  const [isOpen, setIsOpen] = useState(false);
  const fileGUID = fileGUIDOf(link.url);
  if (!entry.isAutoSendEnabled || fileGUID === null) return null;
  const { slotGUID } = read;
  const slave = slaveOf(page, read);
  return (
    <>
      <Button size="large" icon={Send} onPress={() => setIsOpen(true)}>
        {t('recoding.sendLater')}
      </Button>
      {isOpen && (
        <SendFile
          file={{ slotGUID, fileGUID, family: page.family, name: link.name, slave }}
          isPrivateByDefault={entry.isPrivateByDefault}
          sendsEmail={sendsEmail}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** After success: download the file again, send it, or encode another one. */
function DoneButtons({ encode, read }: Pick<EncodeActionsProps, 'encode' | 'read'>) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const link = encodedLink(encode);
  return (
    <>
      {read !== null && link !== null && <SendButton read={read} link={link} />}
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
  const { read, encode, preflight } = props;
  const isOver = encode.at === 'encoded' || encode.at === 'sent';
  return (
    <div className="flex flex-col gap-3">
      {preflight.at === 'checked' && <PreflightReason checks={preflight.answer.checks} />}
      <div className="flex flex-col items-stretch justify-between gap-3 sm:flex-row sm:items-center">
        <Button
          look="quiet"
          size="large"
          icon={RotateCcw}
          onPress={recoding.reset}
          className="whitespace-nowrap"
        >
          {t('recoding.startOver')}
        </Button>
        <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:justify-end">
          {isOver ? (
            <DoneButtons encode={encode} read={read} />
          ) : (
            <>
              {read?.isReencodePossible && <ReencodeButton read={read} encode={encode} />}
              <EncodeButton {...props} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}
