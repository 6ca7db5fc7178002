/** The checks before encoding in all their states. */
import { EncodeActions } from '../../src/features/recoding/encode/encode-actions.tsx';
import { useEncodeQuestions } from '../../src/features/recoding/encode/encode-questions.tsx';
import { PreflightLines } from '../../src/features/recoding/encode/preflight-lines.tsx';
import { PreflightPanel } from '../../src/features/recoding/encode/preflight-panel.tsx';
import type { Preflight } from '../../src/features/recoding/encode/use-preflight.ts';
import { noneRefused } from '../../src/features/recoding/inputs.ts';
import { Button } from '../../src/ui/actions/button.tsx';
import { Opened } from '../opened.tsx';
import { preflights } from '../made/preflights.ts';
import { obd, recodingOf, uploaded } from '../made/reads.ts';
import { Part, report, State } from '../state.tsx';
import { kessv2 } from '../made/family-pages.ts';

const checked = (name: keyof typeof preflights): Preflight => ({
  at: 'checked',
  answer: preflights[name],
});
const states: Readonly<Record<string, Preflight>> = {
  checking: { at: 'checking' },
  late: { at: 'late' },
  failed: { at: 'failed', again: () => report('again') },
  green: checked('green'),
  'one amber': checked('one amber'),
  'every amber': checked('every amber'),
  'changes that are overwritten': checked('changes that are overwritten'),
  'nothing left of the change': checked('nothing left of the change'),
  'checksums of a real control unit': checked('checksums of a real control unit'),
  limited: checked('limited'),
  red: checked('red'),
  'the engine of a vendor': checked('the engine of a vendor'),
};

const read = obd(kessv2);
const encode = {
  at: 'preparing',
  inputs: recodingOf(read, { modified: uploaded('stage1.bin') }),
} as const;

function Asking() {
  const { begin, question } = useEncodeQuestions(encode, checked('one amber'));
  return (
    <>
      <Button onPress={() => begin(() => report('encode'))}>Encode</Button>
      {question}
    </>
  );
}

export function CheckParts() {
  return (
    <>
      <Part file="features/recoding/encode/preflight-panel.tsx">
        {Object.entries(states).map(([name, preflight]) => (
          <State key={name} name={name}>
            <PreflightPanel preflight={preflight} refused={noneRefused} />
          </State>
        ))}
        <State name="a refused file">
          <PreflightPanel
            preflight={checked('green')}
            refused={{ ...noneRefused, missing: ['flash'] }}
          />
        </State>
        <State name="another file was refused">
          <PreflightPanel
            preflight={checked('green')}
            refused={{ ...noneRefused, earlier: ['flash'] }}
          />
        </State>
      </Part>
      <Part file="features/recoding/encode/preflight-lines.tsx">
        <State name="every amber">
          <PreflightLines
            checks={preflights['every amber'].checks}
            all={preflights['every amber'].checks}
          />
        </State>
        <State name="blocks the encode">
          <Opened page={kessv2}>
            <EncodeActions read={read} encode={encode} preflight={checked('red')} />
          </Opened>
        </State>
      </Part>
      <Part file="features/recoding/encode/encode-questions.tsx">
        <State name="asks once">
          <Asking />
        </State>
      </Part>
    </>
  );
}
