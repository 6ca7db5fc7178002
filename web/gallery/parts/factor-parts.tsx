/** The second factors of the user's own account. */
import type { OwnFactors } from '@recodery/contract/admin/factors';
import { AddApp } from '../../src/features/admin/account/factors/add-app.tsx';
import { AddPasskey } from '../../src/features/admin/account/factors/add-passkey.tsx';
import { ConfirmPassword } from '../../src/features/admin/account/factors/confirm-password.tsx';
import { OwnFactorsPanel } from '../../src/features/admin/account/factors/own-factors-panel.tsx';
import { QrCode } from '../../src/features/admin/account/factors/qr-code.tsx';
import { RecoveryCodes } from '../../src/features/admin/account/factors/recovery-codes.tsx';
import { guidOf } from '../made/answers.ts';
import { Part, report, State } from '../state.tsx';

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

export const noFactors: OwnFactors = {
  factors: [],
  recoveryCodesLeft: 0,
  canAddPasskey: true,
  isMissing: false,
};
const some: OwnFactors = {
  factors: [
    {
      guid: guidOf(990),
      kind: 'app',
      name: 'Phone',
      createdOn: ago(900),
      lastUsedOn: ago(2),
    },
    {
      guid: guidOf(991),
      kind: 'passkey',
      name: 'Firefox · Windows, in the workshop on the ground floor',
      createdOn: ago(500),
      lastUsedOn: null,
    },
  ],
  recoveryCodesLeft: 9,
  canAddPasskey: true,
  isMissing: false,
};

export const factorsAre = (data: OwnFactors) => ({ key: ['account', 'factors'], data });

/** Twenty-one rows, as the smallest code has; no camera reads them. */
const rows = Array.from({ length: 21 }, (_row, y) =>
  Array.from({ length: 21 }, (_module, x) => ((x * 7 + y * 11 + x * y) % 3 === 0 ? '1' : '0')).join(
    '',
  ),
);
const draft = {
  draft: 'draft',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  address: 'otpauth://totp/Recodery:anna%40demo.test?secret=JBSWY3DPEHPK3PXP',
  rows,
};
const codes = Array.from({ length: 10 }, (_code, at) => `k3jt-0x9v-2mwq-8hc${at}`);
const close = () => report('close');
const added = () => report('added');

const accountIs = (hasPassword: boolean) => ({
  key: ['account'],
  data: { email: 'olga@demo.test', name: 'Olga', culture: 'en-US', hasPassword },
});

function Panels() {
  return (
    <Part file="features/admin/account/factors/own-factors-panel.tsx">
      <State name="none" given={[factorsAre(noFactors)]}>
        <OwnFactorsPanel />
      </State>
      <State name="missing" given={[factorsAre({ ...noFactors, isMissing: true })]}>
        <OwnFactorsPanel />
      </State>
      <State name="two" given={[factorsAre(some)]}>
        <OwnFactorsPanel />
      </State>
      <State name="no passkeys here" given={[factorsAre({ ...noFactors, canAddPasskey: false })]}>
        <OwnFactorsPanel />
      </State>
    </Part>
  );
}

export function FactorParts() {
  return (
    <>
      <Panels />
      <Part file="features/admin/account/factors/qr-code.tsx">
        <State name="small">
          <QrCode rows={rows} label="QR code" />
        </State>
      </Part>
      <Part file="features/admin/account/factors/add-app.tsx">
        <State name="empty" window={800}>
          <AddApp draft={draft} onClose={close} onAdded={added} />
        </State>
      </Part>
      <Part file="features/admin/account/factors/add-passkey.tsx">
        <State name="named" window={500}>
          <AddPasskey options="{}" onClose={close} onAdded={added} />
        </State>
      </Part>
      <Part file="features/admin/account/factors/recovery-codes.tsx">
        <State name="new" window={600}>
          <RecoveryCodes codes={codes} onClose={close} />
        </State>
      </Part>
      <Part file="features/admin/account/factors/confirm-password.tsx">
        <State name="empty" window={500} given={[accountIs(true)]}>
          <ConfirmPassword onClose={close} onConfirmed={() => report('confirmed')} />
        </State>
        <State name="without a password" window={500} given={[accountIs(false)]}>
          <ConfirmPassword onClose={close} onConfirmed={() => report('confirmed')} />
        </State>
      </Part>
    </>
  );
}
