/** On the page of a family: the customer and the vehicle of the decoded read's job, which the user opens with a button. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { JobCustomer } from '../../features/jobs/facts/job-customer.tsx';
import { useJob } from '../../features/jobs/jobs.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';

function Entries({ slotGUID }: { readonly slotGUID: string }) {
  return <Loaded query={useJob(slotGUID)}>{(job) => <JobCustomer job={job} />}</Loaded>;
}

export function CustomerOfJob({ slotGUID }: { readonly slotGUID: string }) {
  const { t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Entries slotGUID={slotGUID} />;
  return (
    <Button look="quiet" icon={ChevronDown} className="self-start" onPress={() => setIsOpen(true)}>
      {t('job.customer')}
    </Button>
  );
}
