/** What is known about the vehicle and the read of a job, as labels and values. */
import { definitionOf } from '@recodery/contract/families/registry';
import type { Job } from '@recodery/contract/features/jobs';
import { writtenDateText } from '../../i18n/formats.ts';
import { currentLanguage, type TextKey, type TextOf } from '../../i18n/texts.ts';

/** The fields of a read, and the texts of their labels. */
const fields = [
  ['vin', 'recoding.information.vin'],
  ['engine', 'recoding.information.engine'],
  ['hardware', 'recoding.information.hardware'],
  ['hardwareVersion', 'recoding.information.hardwareVersion'],
  ['software', 'recoding.information.software'],
  ['softwareVersion', 'recoding.information.softwareVersion'],
  ['softwareUpgrade', 'recoding.information.softwareUpgrade'],
  ['softwareDate', 'recoding.information.softwareDate'],
  ['spare', 'recoding.information.spare'],
  ['system', 'recoding.information.system'],
  ['serialNumber', 'recoding.information.serialNumber'],
] as const satisfies readonly (readonly [keyof Job['information'], TextKey])[];

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
  const vehicle = fields.map(([name, label]) => {
    const value = information[name] ?? null;
    const isDate = name === 'softwareDate' && value !== null;
    return {
      label: t(label),
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
