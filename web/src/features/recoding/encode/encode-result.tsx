/** The output of the encode step: a preview, the progress, and the result. */
import type { EncodeResult } from '@recodery/contract/results';
import CircleCheck from 'lucide-react/icons/circle-check';
import FileOutput from 'lucide-react/icons/file-output';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Mail from 'lucide-react/icons/mail';
import MailCheck from 'lucide-react/icons/mail-check';
import MailX from 'lucide-react/icons/mail-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { fullTimeText, sizeText } from '../../../i18n/formats.ts';
import { operationProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon, type IconPart } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { useIsWaitingForEngine } from '../../operations/operation-stage.ts';
import { detailLines } from '../../notifications/notification-rules.ts';
import { BackToOldCode, isCodeChanged } from '../notices/code-changed.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import {
  type Encode,
  type EncodeFailed,
  type EncodeSucceeded,
  isRepeatable,
  type Sent,
} from '../flow/state/encode-flow.ts';
import { FaultPanel } from '../notices/fault-panel.tsx';
import { hasRefusedFile, leavesNothing, refusedParts } from '../inputs.ts';
import { partSummary, slaveOf } from '../flow/part-state-text.ts';
import { PrintButton } from '../decode/print-button.tsx';
import { partsText } from './preflight-summary.ts';
import { ReceiptLink } from './receipt-link.tsx';
import { useSentResult } from './use-sent-result.ts';
import { useNews } from '../flow/news.ts';
import { useOpenPage } from '../flow/open-page.ts';

/** `open`: the message may still change, or needs an answer from the user. */
type Tone = 'good' | 'open' | 'bad';

const tones: Readonly<Record<Tone, { readonly ground: string; readonly icon: string }>> = {
  good: { ground: 'bg-good-soft', icon: 'text-good' },
  open: { ground: 'bg-sunken', icon: 'text-ink-2' },
  bad: { ground: 'bg-bad-soft', icon: 'text-bad' },
};

interface OutcomeProps {
  readonly icon: IconPart;
  readonly tone: Tone;
  readonly title: string;
  readonly detail: ReactNode;
  readonly isTurning?: boolean;
  /** Whether a job sheet can be printed for it. */
  readonly isPrintable?: boolean;
  /** The link to its receipt. */
  readonly receipt?: ReactNode;
}

/** One panel for all messages, so that the layout does not shift when the text changes. */
function Outcome({
  icon,
  tone,
  title,
  detail,
  isTurning = false,
  isPrintable = false,
  receipt,
}: OutcomeProps) {
  const { ground, icon: ink } = tones[tone];
  return (
    <div
      className={classNames(
        'flex items-center gap-4 rounded-s px-4 py-3 forced-colors:border',
        ground,
      )}
    >
      <Icon of={icon} size={20} className={classNames(ink, isTurning && 'animate-spin')} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          <LongText>{title}</LongText>
        </p>
        <p className="text-sm text-ink-2">{detail}</p>
      </div>
      {(receipt || isPrintable) && (
        <div className="flex shrink-0 gap-2 max-xs:flex-col">
          {receipt}
          {isPrintable && <PrintButton />}
        </div>
      )}
    </div>
  );
}

/** A finished encode; without its read there is no job sheet. */
interface FinishedProps<E> {
  readonly encode: E;
  readonly isPrintable: boolean;
}

/**
 * When a file was sealed that expires, and until when it can be written; null for all other files. A sent file has no such
 * limit here: a late download is sealed again.
 */
function sealText(
  { t, language }: ReturnType<typeof useTexts>,
  result: EncodeResult | null,
  text: 'recoding.sealedUntil' | 'recoding.sealedSent' = 'recoding.sealedUntil',
) {
  const { sealedOn, expiresOn } = result ?? {};
  // the date too: it may be read on another day
  const timeOf = (iso: string): string => fullTimeText(iso, language);
  return sealedOn && expiresOn
    ? t(text, { time: timeOf(sealedOn), until: timeOf(expiresOn) })
    : null;
}

function EncodedOutcome({ encode, isPrintable }: FinishedProps<EncodeSucceeded>) {
  const words = useTexts();
  const { t, language } = words;
  const { name, size, receiptCode, correctedChecksums, warnings } = encode.result;
  const facts = [
    sizeText(size, language),
    // the response counts all correct checksums, changed or not, and so does the text
    correctedChecksums > 0 ? t('recoding.checksumsRight', { count: correctedChecksums }) : null,
    sealText(words, encode.result),
    t('recoding.downloadHint'),
    ...warnings.map((errorName) => operationProblem(t, { errorName, detail: null }).advice),
  ];
  useNews(facts.filter((fact) => fact !== null).join(' · '));
  return (
    <Outcome
      icon={CircleCheck}
      tone="good"
      isPrintable={isPrintable}
      receipt={<ReceiptLink code={receiptCode} />}
      title={name}
      detail={facts.filter((fact) => fact !== null).join(' · ')}
    />
  );
}

/** The look of a sent encode, by the status of its email; it has none before the encode finishes. */
function lookOfSending({ news }: Sent): Pick<OutcomeProps, 'icon' | 'tone'> {
  const mail = news?.mail ?? null;
  if (mail?.status === 'failed') return { icon: MailX, tone: 'bad' };
  return mail?.status === 'sent' && mail.way !== 'outbox'
    ? { icon: MailCheck, tone: 'good' }
    : { icon: Mail, tone: 'open' };
}

/** Shows the current status: requested, encoded, then the status of the email in the words of its notification. */
function SentOutcome({ encode, isPrintable }: FinishedProps<Sent>) {
  const words = useTexts();
  const { t } = words;
  const { news, mailTo, operationGUID } = encode;
  const result = useSentResult(operationGUID, news?.isSuccessful ?? false);
  const seal = sealText(words, result, 'recoding.sealedSent');
  const title = news === null ? t('recoding.sentTo', { email: mailTo }) : news.message;
  useNews(title);
  return (
    <Outcome
      {...lookOfSending(encode)}
      isPrintable={isPrintable}
      receipt={<ReceiptLink code={result?.receiptCode ?? null} />}
      title={title}
      detail={
        news === null ? (
          <>
            {t('recoding.sentDetail')}{' '}
            <TextLink href="/notifications">{t('recoding.sentOutcome')}</TextLink>
          </>
        ) : (
          <LongText>{[...detailLines(news), seal].filter(Boolean).join(' · ')}</LongText>
        )
      }
    />
  );
}

/** What is missing, by whether the files were refused or only not uploaded; only a component can come from a backup. */
const missingTexts = {
  refused: { image: 'recoding.refusedNeeded', components: 'recoding.refusedLeft' },
  notUploaded: { image: 'recoding.notUploadedNeeded', components: 'recoding.notUploadedLeft' },
} as const;

/**
 * What prevents or affects encoding: no part is left to write, or a file was not accepted, so that it is missing or the
 * one before it is encoded.
 */
function comingWarnings(
  { t, language }: ReturnType<typeof useTexts>,
  read: DecodedRead,
  { inputs }: Encode,
): readonly string[] {
  if (leavesNothing(inputs)) return [t('recoding.nothingLeft')];
  const { missing, earlier, removed } = refusedParts(inputs);
  const texts = hasRefusedFile(inputs) ? missingTexts.refused : missingTexts.notUploaded;
  const warnings = [
    { parts: missing, text: texts[read.shape] },
    { parts: earlier, text: 'recoding.refusedEarlier' },
    { parts: removed, text: 'recoding.refusedRemoved' },
  ] as const;
  return warnings.flatMap(({ parts, text }) =>
    parts.length === 0 ? [] : [t(text, { parts: partsText(t, language, parts) })],
  );
}

/** A preview of the encoded file: its kind, the slave it is for, and the source of each part. */
function Coming({ read, encode }: { readonly read: DecodedRead; readonly encode: Encode }) {
  const words = useTexts();
  const { t } = words;
  const { page } = useOpenPage();
  const isFrozen = encode.at !== 'preparing';
  const isWorking = encode.at === 'requesting' || encode.at === 'encoding';
  const isWaiting = useIsWaitingForEngine(encode.at === 'encoding' ? encode.operationGUID : null);
  const working = t(isWaiting ? 'recoding.waitingForEngine' : 'recoding.encoding');
  const slave = slaveOf(page, read);
  const warnings = isFrozen ? [] : comingWarnings(words, read, encode);
  const hasWarning = warnings.length > 0;
  const parts = read.parts.flatMap((part) => {
    const state = encode.inputs.parts[part.name];
    return state ? [partSummary(t, part, state, isFrozen)] : [];
  });
  return (
    <Outcome
      icon={isWorking ? LoaderCircle : hasWarning ? TriangleAlert : FileOutput}
      tone={hasWarning ? 'bad' : 'open'}
      isTurning={isWorking}
      title={[t('recoding.out', { extension: page.encodedExtension }), slave]
        .filter((word) => word !== null)
        .join(' · ')}
      detail={
        isWorking
          ? working
          : hasWarning
            ? warnings.map((warning) => (
                <span key={warning} className="block">
                  {warning}
                </span>
              ))
            : parts.join(' · ')
      }
    />
  );
}

/** A failed encode. A temporary failure can be retried with all inputs kept; any other leads back to the files. */
function FailedOutcome(encode: EncodeFailed) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const { fault } = encode;
  const mayRepeat = isRepeatable(encode) && fault.kind !== 'lost';
  const hasBetter = fault.kind === 'lost' || isCodeChanged(fault);
  const goBack = (): void => recoding.dispatch({ type: 'encode-retried' });
  return (
    <FaultPanel
      fault={fault}
      actions={
        <>
          {fault.kind === 'lost' && (
            <Button look="primary" onPress={() => recoding.dispatch({ type: 'followed-again' })}>
              {t('recoding.followAgain')}
            </Button>
          )}
          {isCodeChanged(fault) && <BackToOldCode look="primary" />}
          <Button
            look={hasBetter ? 'secondary' : 'primary'}
            onPress={mayRepeat ? recoding.repeatEncode : goBack}
          >
            {t('ui.tryAgain')}
          </Button>
          {mayRepeat && <Button onPress={goBack}>{t('recoding.backToFiles')}</Button>}
        </>
      }
    />
  );
}

export interface EncodeOutputProps {
  /** Null when an encode was resumed without its read. */
  readonly read: DecodedRead | null;
  readonly encode: Encode;
}

/** The output, between the rows and the buttons: the preview, the progress, and the result. */
export function EncodeOutput({ encode, read }: EncodeOutputProps) {
  switch (encode.at) {
    case 'encoded':
      return <EncodedOutcome encode={encode} isPrintable={read !== null} />;
    case 'sent':
      return <SentOutcome encode={encode} isPrintable={read !== null} />;
    case 'failed':
      return <FailedOutcome {...encode} />;
    default:
      return read && <Coming encode={encode} read={read} />;
  }
}
