/** Why the portal will not decode a read that the simulated slave is asked to seal, based on its protocol; pure. */
import { getCodec } from '@recodery/codec/families/registry';
import {
  componentsFor,
  findProtocol,
  isUsedBy,
  protocols,
} from '@recodery/codec/protocols/protocols';
import { type ComponentName, type Mode } from '@recodery/contract/families/family';
import { type Family, definitionOf } from '@recodery/contract/families/registry';

/** The data to seal. */
export interface PlannedRead {
  readonly family: Family;
  readonly protocolId: number;
  readonly mode: Mode;
  readonly components: readonly ComponentName[];
  readonly identificationOnly: boolean;
}

const modeNames: Readonly<Record<Mode, string>> = { obd: 'OBD', bootbench: 'Boot/Bench' };

/** The first problem, with its solution, as text; null when there is none. */
export function doubtRead(read: PlannedRead): string | null {
  const { family, protocolId, mode, components, identificationOnly } = read;
  const protocol = findProtocol(protocolId);
  if (protocol === null) {
    const known = protocols.filter((one) => isUsedBy(one, family, mode)).map(({ id }) => id);
    return `protocol ${protocolId} does not exist. ${definitionOf(family).name} supports ${known.join(', ')} (${modeNames[mode]}).`;
  }
  if (!isUsedBy(protocol, family, mode)) {
    return `${definitionOf(family).name} does not support protocol ${protocolId} ${protocol.name} in ${modeNames[mode]} mode. It is for ${usesOf(protocol.families)}.`;
  }
  const specs = componentsFor(protocol, family, mode);
  const allowed = specs.map(({ name }) => name);
  const strange = components.find((name) => !allowed.includes(name));
  if (strange !== undefined) {
    return `protocol ${protocolId} ${protocol.name} has no ${strange}. It has ${allowed.join(', ')}.`;
  }
  const { mayImageBeMissing } = getCodec(family).rules;
  if (components.length === 0 && mayImageBeMissing && identificationOnly) return null;
  if (components.length === 0) {
    return `no image was given. Add one with --component: ${allowed.join(', ')}.`;
  }
  const missing = specs.find(
    ({ name, required }) => required !== false && !components.includes(name),
  );
  return missing === undefined
    ? null
    : `protocol ${protocolId} ${protocol.name} also needs ${missing.name}.`;
}

function usesOf(
  uses: readonly { readonly family: Family; readonly modes: readonly Mode[] }[],
): string {
  return uses
    .map(
      ({ family, modes }) =>
        `${definitionOf(family).name} (${modes.map((mode) => modeNames[mode]).join(', ')})`,
    )
    .join(', ');
}
