/** What is known about a read: a word for each fact, and how a family's fields name these facts. */
import * as z from 'zod/mini';

/** The facts that a slave reports about an ECU. */
export const informationKeys = [
  'family',
  'serialNumber',
  'hardware',
  'hardwareVersion',
  'software',
  'softwareVersion',
  'softwareUpgrade',
  'softwareDate',
  'spare',
  'system',
  'engine',
  'vin',
] as const;
export type InformationKey = (typeof informationKeys)[number];

/**
 * A fact about a read. `protocol`: number and name; `checksum` and `recognized`: OK or KO; `customerCode`, `groupCode`:
 * of the organisation and the master device that opened it.
 */
export type InformationWord =
  | InformationKey
  | 'mode'
  | 'protocol'
  | 'protocolID'
  | 'protocolName'
  | 'checksum'
  | 'recognized'
  | 'customerCode'
  | 'groupCode';

/** A family's names for facts, letter for letter, in the order of its results. */
export type InformationFields = Readonly<Record<string, InformationWord>>;

const text = z.nullable(z.string());
const mode = z.enum(['OBD', 'BootBench']);
type Shape<F extends InformationFields> = {
  -readonly [Name in keyof F]: F[Name] extends 'mode' ? typeof mode : typeof text;
};

/** The schema of the information in a family's result. */
export function informationOf<const F extends InformationFields>(fields: F) {
  const schemas = Object.entries(fields).map(([name, word]) => [
    name,
    word === 'mode' ? mode : text,
  ]);
  return z.object(Object.fromEntries(schemas) as Shape<F>);
}
