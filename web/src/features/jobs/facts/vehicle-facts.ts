/** What is known about the vehicle and the read of a job, as labels and values. */
import type { InformationKey } from '@recodery/contract/families/information';
import { definitionOf } from '@recodery/contract/families/registry';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { writtenDateText } from '../../../i18n/formats.ts';
import { currentLanguage, type TextOf } from '../../../i18n/texts.ts';

/** The fields of a read, in their order. */
const fields = [
  'vin',
  'engine',
  'hardware',
  'hardwareVersion',
  'software',
  'softwareVersion',
  'softwareUpgrade',
  'softwareDate',
  'spare',
  'system',
  'serialNumber',
] as const satisfies readonly InformationKey[];

const inMono = new Set<string>(['vin', 'hardware', 'software', 'softwareUpgrade', 'serialNumber']);

/** A label and its value; null if the read does not contain it. */
export interface VehicleFact {
  readonly label: string;
  readonly value: string | null;
  /** For serials, part numbers and codes. */
  readonly isMono?: boolean;
}

/** The device, the user and the vehicle of a job. */
export function vehicleFacts(t: TextOf, job: Job): VehicleFact[] {
  const { information, family, protocolID, protocolName } = job;
  const protocol = protocolName ?? (protocolID === null ? null : String(protocolID));
  const device = [
    { label: t('jobs.family'), value: definitionOf(family).name },
    { label: t('recoding.information.protocolName'), value: protocol },
    { label: t('jobs.device'), value: job.slaveSerialNumber, isMono: true },
    { label: t('jobs.person'), value: job.userDisplayName },
  ];
  const vehicle = fields.map((name) => {
    const value = information[name] ?? null;
    const isDate = name === 'softwareDate' && value !== null;
    return {
      label: t(`recoding.information.${name}`),
      value: isDate ? writtenDateText(value, currentLanguage()) : value,
      isMono: inMono.has(name),
    };
  });
  const { readChecksums = null } = job;
  const checksums =
    readChecksums === null
      ? []
      : [{ label: t('job.readChecksums'), value: t(`job.readChecksums.${readChecksums}`) }];
  return [...device, ...vehicle, ...checksums];
}
