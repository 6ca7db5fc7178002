/** What users entered about the customer and the vehicle of a job, in the order in which it is shown. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';

/** Label, plate, and make with model; null: not entered. */
export function enteredFacts(
  job: Pick<JobSummary, 'customerLabel' | 'plate' | 'vehicleMake' | 'vehicleModel'>,
): readonly (string | null)[] {
  const { customerLabel, plate, vehicleMake, vehicleModel } = job;
  const vehicle = [vehicleMake, vehicleModel].filter(Boolean).join(' ');
  return [customerLabel ?? null, plate ?? null, vehicle || null];
}
