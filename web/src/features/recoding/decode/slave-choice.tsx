/** Asks which slave wrote a read file where the maker's service needs to know it, and uploads the file again. */
import { Button } from '../../../ui/actions/button.tsx';
import type { Fault } from '../fault.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { slavesOf } from '../slaves-of.ts';

export function SlaveChoice({
  fault,
  isDisabled,
}: {
  readonly fault: Fault;
  readonly isDisabled: boolean;
}) {
  const { recoding } = useOpenPage();
  if (recoding.heldFile() === null) return null;
  return slavesOf(fault).map((slave) => (
    <Button
      key={slave}
      look="primary"
      isDisabled={isDisabled}
      onPress={() => recoding.repeatRead(slave)}
    >
      {slave}
    </Button>
  ));
}
