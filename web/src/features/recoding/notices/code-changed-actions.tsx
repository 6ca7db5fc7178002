/**
 * The two options after the customer code changed: continue with the file under the new code, or return to the old one.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Undo2 from 'lucide-react/icons/undo-2';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import type { LookProps } from '../../../ui/actions/button-look.ts';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import {
  readSession,
  takeSession,
  useSession,
  useSwitchCustomerCode,
} from '../../session/session.ts';
import { passFile } from '../flow/reads/pass-file.ts';
import { useOpenPage } from '../flow/open-page.ts';

/** Loads the new code's session and passes the chosen read file to its page. */
export function UnderNewCode() {
  const { t } = useTexts();
  const { page, recoding } = useOpenPage();
  const queries = useQueryClient();
  const goOn = useMutation({
    mutationFn: () => readSession(),
    onSuccess: (session) => {
      const held = recoding.heldFile();
      if (takeSession(queries, session)) {
        if (held) passFile(page.id, held);
        return;
      }
      // The code was changed back in the meantime: the page stays mounted.
      recoding.dispatch({ type: 'retried' });
      if (held) recoding.chooseRead(held, { skipsChecksum: false, hasDebugFlag: false });
    },
    onError: (thrown) => showFailure(t, thrown),
  });
  return (
    <Button
      look="primary"
      icon={ArrowRight}
      isPending={goOn.isPending}
      onPress={() => goOn.mutate()}
    >
      {t('recoding.underNewCode')}
    </Button>
  );
}

/** Decoded files belong to the old code; after switching back, the work continues where it was. */
export function BackToOldCode(look: Pick<LookProps, 'look' | 'size'>) {
  const { t } = useTexts();
  const { customerCode } = useSession();
  const { mutate: change, isPending } = useSwitchCustomerCode();
  return (
    <Button
      {...look}
      icon={Undo2}
      isPending={isPending}
      onPress={() => change(customerCode, { onError: (thrown) => showFailure(t, thrown) })}
    >
      {t('recoding.backToOldCode', { code: customerCode })}
    </Button>
  );
}
