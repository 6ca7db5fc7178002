/** Everything above or instead of a page: dialogs, open menus, toasts, full-page screens. */
import { useEffect, useRef, useState } from 'react';
import { BellList } from '../../src/features/notifications/bell-list.tsx';
import { ExpiringNotice } from '../../src/features/notifications/expiring-notice.tsx';
import { AdBlockModal } from '../../src/features/ad-block/ad-block-modal.tsx';
import { LeaveGuard, LeaveQuestion, useLeaveQuestion } from '../../src/ui/dialogs/leave-guard.tsx';
import { TextLink } from '../../src/ui/actions/text-link.tsx';
import { ComponentsPopup } from '../../src/features/recoding/decode/components-popup.tsx';
import { page } from '../../src/features/recoding/families/kess3.ts';
import { NotFound } from '../../src/features/recoding/notices/page-questions.tsx';
import { ResetQuestion } from '../../src/features/recoding/notices/reset-question.tsx';
import { SendPopup } from '../../src/features/recoding/encode/send-popup.tsx';
import { OlderFileQuestion } from '../../src/features/sending/older-file-question.tsx';
import type { SendForm } from '../../src/features/sending/send-dialog.tsx';
import type { Recoding } from '../../src/features/recoding/flow/use-recoding.ts';
import { TermsModal } from '../../src/features/session/terms-modal.tsx';
import { Button } from '../../src/ui/actions/button.tsx';
import { Confirm } from '../../src/ui/dialogs/confirm.tsx';
import { ConfirmDialog } from '../../src/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../src/ui/dialogs/dialog.tsx';
import { ForbiddenPage } from '../../src/ui/loading/forbidden-page.tsx';
import { MenuList } from '../../src/ui/actions/menu-list.tsx';
import { showToast } from '../../src/ui/toasts/toast.tsx';
import type { ToastWords } from '../../src/ui/toasts/toast-list.ts';
import { type Answer, broken, config, guidOf, notificationsAre } from '../made/answers.ts';
import { hoursAgo } from '../made/jobs.ts';
import { Opened } from '../opened.tsx';
import { bench } from '../made/reads.ts';
import { Part, State, report } from '../state.tsx';

const read = bench(page);

/** Jobs that the retention deletes in one to six days. */
function expiring(jobs: number): Answer {
  const days = [1, 2, 6].slice(0, jobs).map((day) => hoursAgo(day * -24));
  const names = ['golf_stage_0.kess3', 'Müller 159 2.4 JTDm read.bin', 'read.k3r'];
  const first = days.map((expiresOn, at) => ({
    slotGUID: guidOf(700 + at),
    fileName: names[at] ?? '',
    expiresOn,
  }));
  const times = { firstOn: days[0] ?? null, lastOn: days.at(-1) ?? null };
  return { key: ['code', 'jobs', 'expiring'], data: { jobs, ...times, first, isNew: true } };
}

/** A popup below a button, open initially. */
function OpenMenu() {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  return (
    <>
      <button ref={setButton} type="button">
        The button
      </button>
      {button && (
        <MenuList
          button={{ current: button }}
          label="Languages"
          placement="bottom start"
          openedFrom="first"
          onClose={() => report('close')}
          groups={[
            {
              title: 'Customer codes',
              chosen: 'a',
              items: [
                { id: 'a', text: 'CC-1001 Officina Demo', onAction: () => report('a') },
                {
                  id: 'b',
                  text: `CC-2002 ${'Officina Meccanica '.repeat(6)}`,
                  onAction: () => report('b'),
                },
              ],
            },
          ]}
        />
      )}
    </>
  );
}

function OpenBell() {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  return (
    <>
      <button ref={setButton} type="button">
        The bell
      </button>
      {button && <BellList button={{ current: button }} isOpen onClose={() => report('close')} />}
    </>
  );
}

/** Open initially, and again with its button. */
function ADialog() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Open the dialog</Button>
      {isOpen && (
        <Dialog
          title="Download Boot/Bench components"
          onClose={() => setIsOpen(false)}
          actions={<Button look="primary">Download all</Button>}
        >
          The contents of the dialog.
        </Dialog>
      )}
    </>
  );
}

function ShownToasts({ all }: { readonly all: readonly ToastWords[] }) {
  // There is one toast region per window, so the iframe has its own. Shown once, also in strict mode.
  const areShown = useRef(false);
  useEffect(() => {
    if (areShown.current) return;
    areShown.current = true;
    for (const words of all) showToast(words);
  }, [all]);
  return <p>What is shown lies over the page.</p>;
}

const toasts: readonly ToastWords[] = [
  { title: 'File encoded', tone: 'good', detail: 'KESS3_KS3-000042_9000_20261121-095833.moc' },
  {
    title: 'File not decoded',
    tone: 'bad',
    detail: 'Volkswagen_Golf_VII_2.0_TDI_150hp_EDC17C64.tfc · KS3-000042',
    problem: 'The file is corrupted',
  },
  { title: 'The file is no longer available', tone: 'bad', detail: 'Its ten days are over.' },
  {
    title: 'You now work under CC-2002',
    action: { label: 'Go back', onAction: () => report('back') },
  },
];

/** The popup, with the fields that the flow keeps. */
function Sending({ isPrivateByDefault }: { readonly isPrivateByDefault: boolean }) {
  const [form, setForm] = useState<SendForm>({ email: null, message: '', isPrivate: null });
  const commands: Partial<Recoding> = {
    dispatch: (event) =>
      event.type === 'send-changed' ? setForm({ ...form, ...event.to }) : report('cancel'),
    confirmSend: () => report('confirm'),
  };
  return (
    <Opened commands={commands} isPrivateByDefault={isPrivateByDefault}>
      <SendPopup read={read} form={form} />
    </Opened>
  );
}

const recipient: Answer = {
  key: ['code', 'recipient', 'slot'],
  data: {
    slaveOrganizationName: 'Garage Rossi',
    slaveOrganizationEmailAddress: 'garage@rossi.test',
  },
};

const noRecipient: Answer = {
  ...recipient,
  data: { slaveOrganizationName: null, slaveOrganizationEmailAddress: null },
};

function Dialogs() {
  return (
    <>
      <Part file="ui/dialogs/dialog.tsx">
        <State name="with actions" window={420}>
          <ADialog />
        </State>
      </Part>
      <Part file="features/recoding/encode/send-popup.tsx">
        <State name="with a suggested recipient" window={620} given={[recipient]}>
          <Sending isPrivateByDefault />
        </State>
        <State name="without one" window={620} given={[noRecipient]}>
          <Sending isPrivateByDefault={false} />
        </State>
        <State
          name="while the recipient is looked up"
          window={620}
          given={[{ key: recipient.key }]}
        >
          <Sending isPrivateByDefault />
        </State>
      </Part>
      <Part file="features/recoding/decode/components-popup.tsx">
        <State name="four components" window={560}>
          <ComponentsPopup read={read} onClose={() => report('close')} />
        </State>
      </Part>
    </>
  );
}

/** The confirmations before something is discarded. */
function Leaving() {
  return (
    <>
      <Part file="ui/dialogs/confirm-dialog.tsx">
        <State name="with both buttons" window={420}>
          <ConfirmDialog
            title="Continue without the file for EEPROM?"
            confirm="Continue"
            onCancel={() => report('cancel')}
            onConfirm={() => report('confirm')}
          >
            <p>The last file was not accepted.</p>
          </ConfirmDialog>
        </State>
      </Part>
      <Part file="ui/dialogs/confirm.tsx">
        <State name="loaded on demand" window={420}>
          <Confirm
            title="Start over?"
            confirm="Start over"
            onCancel={() => report('cancel')}
            onConfirm={() => report('confirm')}
          >
            <p>This clears the uploaded files from the page.</p>
          </Confirm>
        </State>
      </Part>
      <Part file="ui/dialogs/leave-guard.tsx">
        <State name="asked" window={420}>
          <LeaveQuestion onStay={() => report('stay')} onLeave={() => report('leave')} />
        </State>
        <State name="two, the first changed" window={420}>
          <LeaveGuard kind="changes" isChanged onDiscard={() => report('discard first')} />
          <LeaveGuard kind="changes" isChanged={false} onDiscard={() => report('discard second')} />
          <TextLink href="/elsewhere">Leave</TextLink>
        </State>
        <State name="before an action within the page" window={420}>
          <WithinPage />
        </State>
      </Part>
    </>
  );
}

/** An action that removes a changed form from the page. */
function WithinPage() {
  const { ask, question } = useLeaveQuestion();
  return (
    <>
      <LeaveGuard kind="changes" isChanged onDiscard={() => report('discard')} />
      <Button onPress={() => ask(() => report('act'))}>Start over</Button>
      {question}
    </>
  );
}

/** The questions of a device page, and what it shows instead of an operation that is not there. */
function PageQuestions() {
  return (
    <Part file="features/recoding/notices/page-questions.tsx">
      <State name="before starting over" window={420}>
        <ResetQuestion
          fileName={null}
          isUploading={false}
          hasUploaded
          hasUnsaved={false}
          onStay={() => report('stay')}
          onReset={() => report('reset')}
        />
      </State>
      <State name="before starting over, during an upload" window={420}>
        <ResetQuestion
          fileName="lettura_KV2-000007.kv2"
          isUploading
          hasUploaded={false}
          hasUnsaved
          onStay={() => report('stay')}
          onReset={() => report('reset')}
        />
      </State>
      <State name="an unknown operation">
        <NotFound opensAt={null} isDeleted={false} />
      </State>
      <State name="an operation of a deleted job">
        <NotFound opensAt={null} isDeleted />
      </State>
      <State name="an operation of another page">
        <NotFound opensAt="ktag" isDeleted={false} />
      </State>
    </Part>
  );
}

function Questions() {
  return (
    <>
      <Part file="features/ad-block/ad-block-modal.tsx">
        <State name="open" window={420}>
          <AdBlockModal onClose={() => report('close')} />
        </State>
      </Part>
      <Part file="features/session/terms-modal.tsx">
        <State name="open" window={480}>
          <TermsModal
            terms={{ ...config.terms, url: '#terms' }}
            onOutdated={async () => report('outdated')}
          />
        </State>
        <State name="without articles" window={480}>
          <TermsModal
            terms={{ ...config.terms, articles: [], url: '#terms' }}
            onOutdated={async () => report('outdated')}
          />
        </State>
        <State name="without a text" window={480}>
          <TermsModal
            terms={{ ...config.terms, url: '' }}
            onOutdated={async () => report('outdated')}
          />
        </State>
      </Part>
    </>
  );
}

function OlderFile() {
  return (
    <Part file="features/sending/older-file-question.tsx">
      {(['open', 'expired', 'former key', 'received'] as const).map((name) => (
        <State key={name} name={name} window={400}>
          <OlderFileQuestion
            hasFormerKey={name === 'former key'}
            isExpired={name === 'expired' || name === 'received'}
            isReceived={name === 'received'}
            onCancel={() => report('stay')}
            onConfirm={() => report('download')}
          />
        </State>
      ))}
    </Part>
  );
}

export function WindowParts() {
  return (
    <>
      <Dialogs />
      <Leaving />
      <PageQuestions />
      <Questions />
      <Part file="ui/actions/menu-list.tsx">
        <State name="choices" window={260}>
          <OpenMenu />
        </State>
      </Part>
      <OlderFile />
      <Part file="features/notifications/expiring-notice.tsx">
        {[2, 1234].map((jobs) => (
          <State key={jobs} name={`${jobs} jobs`} given={[expiring(jobs)]}>
            <ExpiringNotice onLeave={() => report('leave')} />
          </State>
        ))}
      </Part>
      <Part file="features/notifications/bell-list.tsx">
        <State name="filled" window={640}>
          <OpenBell />
        </State>
        <State name="empty" window={260} given={notificationsAre('latest', { data: [] })}>
          <OpenBell />
        </State>
        <State name="loading" window={260} given={notificationsAre('latest', {})}>
          <OpenBell />
        </State>
        <State name="error" window={260} given={notificationsAre('latest', { thrown: broken })}>
          <OpenBell />
        </State>
      </Part>
      <Part file="ui/toasts/toast-region.tsx">
        <State name="each tone" window={420}>
          <ShownToasts all={toasts} />
        </State>
      </Part>
      <Part file="ui/loading/forbidden-page.tsx">
        <State name="with a code">
          <ForbiddenPage
            headline="Role not authorized"
            advice="Your account does not have access to this page. Ask your administrator."
            code="USER_NO_RIGHTS"
          />
        </State>
      </Part>
    </>
  );
}
