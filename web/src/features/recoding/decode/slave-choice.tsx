/** Asks which slave wrote a read file where the maker's service needs to know it, and uploads the file again. */
import { Refusal } from '@recodery/contract/refusal';
import { Button } from '../../../ui/actions/button.tsx';
import type { Fault } from '../fault.ts';
import { useOpenPage } from '../flow/open-page.ts';

/** The slaves that the refusal names. */
function slavesOf(fault: Fault): readonly string[] {
  const thrown = fault.kind === 'refused' ? fault.thrown : null;
  const details = thrown instanceof Refusal ? thrown.details : undefined;
  return details !== undefined && 'slaves' in details ? details.slaves : [];
}

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
