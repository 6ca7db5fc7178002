/** The second half of a recoding page: what goes into the encoded file, how, and what came out. */
import CircleCheck from 'lucide-react/icons/circle-check';
import Mail from 'lucide-react/icons/mail';
import MailCheck from 'lucide-react/icons/mail-check';
import MailX from 'lucide-react/icons/mail-x';
import { lazy, type ReactNode, Suspense } from 'react';
import { sizeText } from '../../i18n/formats.ts';
import { operationProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon, type IconPart } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { DecodedRead, Entry } from './decoded-read.ts';
import { EncodeActions } from './encode-actions.tsx';
import type { Encode, Encoded, Sent } from './encode-flow.ts';
import { EncodeWaiting } from './encode-waiting.tsx';
import type { FamilyPage } from './family-page.ts';
import { BackToOldCode, isCodeChanged } from './code-changed.tsx';
import { FaultPanel } from './fault-panel.tsx';
import { PartRow } from './part-row.tsx';
import type { Recoding } from './use-recoding.ts';

const SendPopup = lazy(async () => ({ default: (await import('./send-popup.tsx')).SendPopup }));

export interface EncodeStepProps {
  readonly page: FamilyPage;
  readonly entry: Entry;
  readonly recoding: Recoding;
  readonly isEngineUp: boolean;
}

interface LaidOut extends EncodeStepProps {
  readonly read: DecodedRead;
  readonly encode: Encode;
}

/** The rows: one a part, their columns aligned over all of them. */
function Parts({ read, encode, recoding, isEngineUp }: LaidOut) {
  const { tell, choosePart, cancelPart, removePart } = recoding;
  return (
    <ul
      className={classNames(
        'grid grid-cols-1 gap-x-5 border-b border-line',
        read.parts.some(({ isRemovable }) => isRemovable)
          ? '@min-[740px]:grid-cols-[minmax(8.5rem,auto)_8rem_minmax(0,1fr)_auto_auto]'
          : '@min-[740px]:grid-cols-[minmax(8.5rem,auto)_8rem_minmax(0,1fr)_auto]',
      )}
    >
      {read.parts.map((part) => {
        const state = encode.inputs.parts[part.name];
        return (
          state && (
            <PartRow
              key={part.name}
              part={part}
              state={state}
              isFrozen={encode.at !== 'preparing'}
              isEngineUp={isEngineUp}
              onFile={choosePart}
              onCancel={cancelPart}
              onRestore={(name) => tell({ type: 'part-restored', part: name })}
              onRemove={removePart}
            />
          )
        );
      })}
    </ul>
  );
}

/** What is corrected on the way. */
function Corrections({ page, entry, read, encode, recoding }: LaidOut) {
  const { t } = useTexts();
  const { correctsCVN, skipsChecksum } = encode.inputs;
  const offersSkip = page.offersEncodeSkip(entry, read);
  const isFrozen = encode.at !== 'preparing';
  const { checksumRules, isCVNCorrectionPossible } = read;
  if (!isCVNCorrectionPossible && !offersSkip && checksumRules === 0) return null;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-7 gap-y-1">
      {isCVNCorrectionPossible && (
        <Switch
          isSelected={correctsCVN}
          isDisabled={isFrozen}
          onChange={(corrects) => recoding.tell({ type: 'cvn-switched', corrects })}
        >
          {t('recoding.correctCVN')}
        </Switch>
      )}
      {offersSkip && (
        <Switch
          isSelected={skipsChecksum}
          isDisabled={isFrozen}
          onChange={(skips) => recoding.tell({ type: 'checksum-switched', skips })}
        >
          {t('recoding.skipChecksum')}
        </Switch>
      )}
      {checksumRules > 0 && (
        <p className="text-md text-ink-3">
          {skipsChecksum ? t('recoding.checksumsLeft') : t('recoding.checksums')}
        </p>
      )}
    </div>
  );
}

/** `open`: what is said may still change, or ask something of the reader. */
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
}

function Outcome({ icon, tone, title, detail }: OutcomeProps) {
  const { ground, icon: ink } = tones[tone];
  return (
    <div
      role="status"
      className={classNames(
        'flex items-center gap-4 rounded-s px-4 py-3 forced-colors:border',
        ground,
      )}
    >
      <Icon of={icon} size={20} className={ink} />
      <div className="min-w-0">
        <p className="font-semibold break-words">{title}</p>
        <p className="text-sm text-ink-2">{detail}</p>
      </div>
    </div>
  );
}

function EncodedOutcome({ encode }: { readonly encode: Encoded }) {
  const { t, language } = useTexts();
  const { name, size, correctedChecksums, warnings } = encode.result;
  const facts = [
    sizeText(size, language),
    // the answer counts those that are right in the file, touched or not: more is not claimed
    correctedChecksums > 0 ? t('recoding.checksumsRight', { count: correctedChecksums }) : null,
    t('recoding.comesByItself'),
    ...warnings.map((errorName) => operationProblem(t, { errorName, detail: null }).advice),
  ];
  return (
    <Outcome
      icon={CircleCheck}
      tone="good"
      title={name}
      detail={facts.filter((fact) => fact !== null).join(' · ')}
    />
  );
}

/** What a sent encode looks like, by where its mail stands; before the encode's end it has none. */
function lookOfSending({ news }: Sent): Pick<OutcomeProps, 'icon' | 'tone'> {
  const mail = news?.mail ?? null;
  if (mail?.status === 'failed') return { icon: MailX, tone: 'bad' };
  return mail?.status === 'sent' && mail.way !== 'outbox'
    ? { icon: MailCheck, tone: 'good' }
    : { icon: Mail, tone: 'open' };
}

/** Says at each moment what is true: asked for, encoded, and then where the mail stands, in its notification's words. */
function SentOutcome({ encode }: { readonly encode: Sent }) {
  const { t } = useTexts();
  const { news, mailTo } = encode;
  return (
    <Outcome
      {...lookOfSending(encode)}
      title={news === null ? t('recoding.sentTo', { email: mailTo }) : news.message}
      detail={
        <>
          {news === null && `${t('recoding.sentDetail')} `}
          <TextLink href="/notifications">{t('recoding.sentOutcome')}</TextLink>
        </>
      }
    />
  );
}

/** What became of the request, between the rows and the buttons. */
function Result({ encode, recoding }: Pick<LaidOut, 'encode' | 'recoding'>) {
  const { t } = useTexts();
  switch (encode.at) {
    case 'encoded':
      return <EncodedOutcome encode={encode} />;
    case 'sent':
      return <SentOutcome encode={encode} />;
    case 'failed':
      return (
        <FaultPanel
          fault={encode.fault}
          actions={
            <>
              <Button look="primary" onPress={() => recoding.tell({ type: 'encode-retried' })}>
                {t('ui.tryAgain')}
              </Button>
              {isCodeChanged(encode.fault) && <BackToOldCode />}
              {encode.fault.kind === 'lost' && (
                <Button onPress={() => recoding.tell({ type: 'followed-again' })}>
                  {t('recoding.followAgain')}
                </Button>
              )}
            </>
          }
        />
      );
    default:
      return null;
  }
}

/** An encode that was taken up without its read: only its end is left to show. */
function Resumed(props: EncodeStepProps & { readonly encode: Encode }) {
  const { t } = useTexts();
  const { encode, recoding, page } = props;
  return (
    <div className="flex flex-col gap-4">
      {encode.at === 'encoding' && <ProgressBar label={t('recoding.encoding')} fraction={null} />}
      <Result encode={encode} recoding={recoding} />
      {encode.at === 'encoded' && (
        <EncodeActions
          page={page}
          entry={props.entry}
          recoding={recoding}
          read={null}
          encode={encode}
        />
      )}
    </div>
  );
}

export function EncodeStep(props: EncodeStepProps) {
  const { t } = useTexts();
  const { recoding, page, entry } = props;
  const { flow } = recoding;
  if (flow.at === 'resumed') {
    return (
      <Panel title={t('recoding.encodeStep')}>
        <Resumed {...props} encode={flow.encode} />
      </Panel>
    );
  }
  if (flow.at !== 'decoded') return <EncodeWaiting />;
  const { read, encode } = flow;
  const laidOut = { ...props, read, encode };
  return (
    <Panel title={t('recoding.encodeStep')} className="@container">
      <div className="flex flex-col gap-4">
        <Parts {...laidOut} />
        <Corrections {...laidOut} />
        <Result encode={encode} recoding={recoding} />
        <EncodeActions page={page} entry={entry} recoding={recoding} read={read} encode={encode} />
      </div>
      {encode.at === 'addressing' && (
        <Suspense fallback={null}>
          <SendPopup
            page={page}
            read={read}
            isPrivateByDefault={entry.isPrivateByDefault}
            onCancel={() => recoding.tell({ type: 'send-cancelled' })}
            onConfirm={recoding.confirmSend}
          />
        </Suspense>
      )}
    </Panel>
  );
}
