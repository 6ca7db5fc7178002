/** The components of `src/ui` that display something, in all their states. */
import Cpu from 'lucide-react/icons/cpu';
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import Lock from 'lucide-react/icons/lock';
import Send from 'lucide-react/icons/send';
import { Badge } from '../../src/ui/display/badge.tsx';
import { Banner } from '../../src/ui/display/banner.tsx';
import { Button } from '../../src/ui/actions/button.tsx';
import { ChangesStrip } from '../../src/ui/display/changes-strip.tsx';
import { CopyCode } from '../../src/ui/actions/copy-code.tsx';
import { DescriptionList } from '../../src/ui/display/description-list.tsx';
import { DropArea } from '../../src/ui/fields/drop-area.tsx';
import { EmptyState } from '../../src/ui/display/empty-state.tsx';
import { Icon } from '../../src/ui/display/icon.tsx';
import { Link } from '../../src/ui/actions/link.tsx';
import { LongText } from '../../src/ui/display/long-text.tsx';
import { Mark } from '../../src/ui/display/mark.tsx';
import { Menu } from '../../src/ui/actions/menu.tsx';
import { PageTitle } from '../../src/ui/display/page-title.tsx';
import { Panel } from '../../src/ui/display/panel.tsx';
import { ProblemPanel } from '../../src/ui/display/problem-panel.tsx';
import { ProgressBar } from '../../src/ui/display/progress-bar.tsx';
import { Skeleton } from '../../src/ui/display/skeleton.tsx';
import { TextLink } from '../../src/ui/actions/text-link.tsx';
import {
  type ProgressStep,
  type StepState,
  ProgressStrip,
} from '../../src/ui/display/progress-strip.tsx';
import { changes } from '../made/reads.ts';
import { Part, Row, State, report } from '../state.tsx';

const long = 'Volkswagen_Golf_VII_2.0_TDI_EDC17C64_ORIGINAL_read_after_service_KS3-000042_v3.k3r';

function Marks() {
  return (
    <>
      <Part file="ui/display/badge.tsx">
        <State name="states">
          <Row>
            <Badge state="modified">Modified</Badge>
            <Badge state="good">Encoded</Badge>
            <Badge state="bad">Not decoded</Badge>
            <Badge state="neutral">From backup</Badge>
            <Badge state="removed">Removed</Badge>
          </Row>
        </State>
      </Part>
      <Part file="ui/display/icon.tsx">
        <State name="sizes">
          <Row>
            <Icon of={Cpu} size={14} />
            <Icon of={Cpu} />
            <Icon of={Cpu} size={24} />
          </Row>
        </State>
      </Part>
      <Part file="ui/display/mark.tsx">
        <State name="sizes">
          <Row>
            <Mark />
            <Mark size={40} />
          </Row>
        </State>
      </Part>
      <Part file="ui/display/long-text.tsx">
        <State name="a file name in a narrow place">
          <p style={{ width: '11rem' }}>
            <LongText>{long}</LongText>
          </p>
        </State>
      </Part>
    </>
  );
}

function Small() {
  return (
    <>
      <Part file="ui/actions/link.tsx">
        <State name="bare">
          <Link href="/">Within the app</Link>
        </State>
      </Part>
      <Part file="ui/actions/text-link.tsx">
        <State name="in a sentence">
          <p>
            Read the <TextLink href="/">terms of use</TextLink> first.
          </p>
        </State>
      </Part>
      <Part file="ui/actions/copy-code.tsx">
        <State name="short and long">
          <CopyCode code="FILE_CORRUPTED" />
          <CopyCode code={'9f86d081884c7d65'.repeat(4)} kind="hash" of="stage1.bin" />
          <CopyCode code="01890000-0000-7000-8000-000000000000" kind="GUID" of="Tuning robot" />
          <CopyCode code={`${'01890000-0000-7000-8000-000000000000 '.repeat(4)}`} />
        </State>
      </Part>
      <Part file="ui/display/changes-strip.tsx">
        <State name="some bytes">
          <ChangesStrip changes={changes} />
        </State>
        <State name="nothing">
          <ChangesStrip changes={{ ...changes, bytes: 0, regions: 0, spans: [] }} />
        </State>
      </Part>
    </>
  );
}

function Menus() {
  return (
    <Part file="ui/actions/menu.tsx">
      <State name="actions and choices">
        <Menu
          label="More"
          placement="bottom start"
          trigger={<Button>Open the menu</Button>}
          groups={[
            {
              title: 'Actions',
              items: [
                {
                  id: 'send',
                  text: 'Encode and send',
                  icon: Send,
                  onAction: () => report('send'),
                },
              ],
            },
            {
              title: 'Choices',
              chosen: 'b',
              items: [
                { id: 'a', text: long, onAction: () => report('a') },
                { id: 'b', text: 'In force', onAction: () => report('b') },
              ],
            },
          ]}
        />
      </State>
    </Part>
  );
}

const dropStates = [
  ['ready', {}],
  ['closed', { isDisabled: true }],
] as const;

function Waiting() {
  return (
    <>
      <Part file="ui/display/banner.tsx">
        <State name="warning">
          <Banner tone="warning">The service is suspended. Try again in a few minutes.</Banner>
        </State>
        <State name="info, to be closed">
          <Banner
            tone="info"
            action={
              <Button size="small" onPress={() => report('close')}>
                Close
              </Button>
            }
          >
            <p>{'On Monday from 17:30 to 19:00 nothing is decoded. '.repeat(4)}</p>
          </Banner>
        </State>
      </Part>
      <Part file="ui/fields/drop-area.tsx">
        {(['tall', 'wide', 'row'] as const).flatMap((shape) =>
          dropStates.map(([name, props]) => (
            <State key={shape + name} name={`${shape}, ${name} (drag a file over it)`}>
              <DropArea
                {...props}
                shape={shape}
                label="Drop the read file here"
                choose="Choose from this computer"
                onFile={({ name: fileName }) => report(fileName)}
                {...(shape === 'row' ? {} : { hint: '· up to 64 MiB' })}
              />
            </State>
          )),
        )}
      </Part>
      <Part file="ui/display/progress-bar.tsx">
        {[0, 0.42, 1, null].map((fraction) => (
          <State key={fraction} name={fraction === null ? 'unknown' : String(fraction)}>
            <ProgressBar
              label={fraction === 0.42 ? long : 'Uploading'}
              fraction={fraction}
              action={
                <Button look="quiet" onPress={() => report('cancel')}>
                  Cancel
                </Button>
              }
            />
          </State>
        ))}
      </Part>
    </>
  );
}

function Empty() {
  return (
    <>
      <Part file="ui/display/skeleton.tsx">
        <State name="six lines">
          <Panel>
            <Skeleton lines={6} />
          </Panel>
        </State>
      </Part>
      <Part file="ui/display/empty-state.tsx">
        <State name="in a panel">
          <Panel title="Last operations">
            <EmptyState icon={History} title="Nothing decoded yet">
              Open the page of your slave and drop a read file there.
            </EmptyState>
          </Panel>
        </State>
      </Part>
    </>
  );
}

function Surfaces() {
  return (
    <>
      <Part file="ui/display/problem-panel.tsx">
        <State name="with an action">
          <ProblemPanel
            headline="This is a K-TAG backup"
            advice="It cannot be decoded as a KESSv2 read file. Open it on the K-TAG page; nothing needs to be chosen again."
            code="FILE_IS_KTAG_BACKUP"
            actions={
              <Button look="primary" onPress={() => report('open')}>
                Open on the K-TAG page
              </Button>
            }
          />
        </State>
        <State name="text only">
          <ProblemPanel headline="The connection is broken" advice="Check the network." />
        </State>
      </Part>
      <Part file="ui/display/panel.tsx">
        <State name="with actions">
          <Panel title="Decoded" actions={<Button icon={Download}>Download ID</Button>}>
            The content of the panel.
          </Panel>
        </State>
      </Part>
      <Part file="ui/display/description-list.tsx">
        <State name="short, long and missing values">
          <DescriptionList
            missing="Not in this read:"
            items={[
              { label: 'Mode', value: 'BootBench' },
              { label: 'HW', value: 'REF0261A1', isMono: true },
              { label: 'SW', value: long, isMono: true },
              { label: 'Serial number', value: 'KS3-000042-REV-B-ITALIA-2026', isMono: true },
              { label: 'Spare', value: null },
            ]}
          />
        </State>
      </Part>
      <Part file="ui/display/page-title.tsx">
        <State name="with an aside">
          <PageTitle title="KESS3 slave management" aside={<Button>Mark all as seen</Button>}>
            Decode a read file of a slave, encode your modification for it.
          </PageTitle>
        </State>
      </Part>
    </>
  );
}

const strips: Readonly<Record<string, readonly StepState[]>> = {
  'at the beginning': ['current', 'waiting', 'waiting', 'waiting'],
  decoding: ['done', 'current', 'waiting', 'waiting'],
  modifying: ['done', 'done', 'current', 'waiting'],
  encoding: ['done', 'done', 'done', 'current'],
  done: ['done', 'done', 'done', 'done'],
  'failed at the first step': ['failed', 'waiting', 'waiting', 'waiting'],
  'failed at the last step': ['done', 'done', 'done', 'failed'],
};

function ProgressStrips() {
  const labels = ['Read file', 'Decoded', 'Modified', 'Encoded'];
  const details = [long, '4 components', '1 of 4 modified', null];
  return (
    <Part file="ui/display/progress-strip.tsx">
      {Object.entries(strips).map(([name, states]) => (
        <State key={name} name={name}>
          <ProgressStrip
            steps={states.map(
              (state, at): ProgressStep => ({
                id: String(at),
                label: labels[at] ?? '',
                detail: state === 'waiting' ? null : (details[at] ?? null),
                state,
                icon: Lock,
              }),
            )}
          />
        </State>
      ))}
    </Part>
  );
}

export function UiParts() {
  return (
    <>
      <Marks />
      <Small />
      <Menus />
      <Waiting />
      <Empty />
      <Surfaces />
      <ProgressStrips />
    </>
  );
}
