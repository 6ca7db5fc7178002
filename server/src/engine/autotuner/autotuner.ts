/**
 * The kind `autotuner`: AutoTuner's service for masters. Built from public client programs; nothing was tried against the
 * service. Reads are opened in its mode `maps`: how its mode `backup` returns the memories of a control unit is not known.
 */
import { recognizeArchive, recognizedBytes } from '@recodery/contract/recognize';
import { tidy } from '@recodery/codec/recoding/information';
import { RequestRefused } from '../../encoding-api-client/errors.ts';
import { memberOf } from '../../encoding-api-client/error-words.ts';
import type { EngineContext } from '../engine.ts';
import { unreported } from '../unreported.ts';
import {
  createStatelessKind,
  readHashedData,
  refuseWithout,
  unknownContext,
} from '../stateless/stateless-kind.ts';

const hash = { algorithm: 'sha256', isUpperCase: true } as const;
const mode = 'maps';

/** The members of a decode that an encode sends back unchanged. Numbers stay numbers. */
const identifiers = ['slave_id', 'ecu_id', 'model_id', 'mcu_id'] as const;

/** Characters of the longest identifier that is stored. */
const longestId = 200;

function isIdentifier(value: unknown): value is string | number {
  return typeof value === 'string'
    ? value !== '' && value.length <= longestId
    : Number.isSafeInteger(value);
}

function readContext(json: unknown): EngineContext {
  const context = identifiers.map((name): [string, unknown] => [name, memberOf(json, name)]);
  const missing = context.find(([, value]) => !isIdentifier(value));
  if (missing !== undefined) throw refuseWithout(missing[0]);
  return Object.fromEntries(context);
}

/** The members of a response as one text, without those that are not known; null: none is. */
function describe(json: unknown, names: readonly string[], units: readonly string[] = []) {
  const words = names.flatMap((name, at) => {
    const value = memberOf(json, name);
    const isKnown = typeof value === 'number' || (typeof value === 'string' && value !== '');
    return isKnown ? [`${value}${units[at] ?? ''}`] : [];
  });
  return words.length === 0 ? null : tidy(words.join(' '));
}

/**
 * Refuses the complete backup of a control unit: how a response contains its memories, and how they are sealed again, is
 * not known. `opened`: the mode in which the service has opened the read; not every version states it.
 */
function refuseBackup(opened: unknown, bytes: Buffer): void {
  const isOther = typeof opened === 'string' && opened !== '' && opened !== mode;
  if (isOther || recognizeArchive(bytes.subarray(0, recognizedBytes)) !== null)
    throw new RequestRefused(
      'this file is a complete backup of the control unit, which this portal cannot open: read the control unit again without the backup mode (maps only), and upload that file',
    );
}

function describeRead(json: unknown) {
  const engine = memberOf(json, 'engine');
  return {
    ...unreported.information,
    family: describe(json, ['manufacturer', 'model']),
    system: describe(json, ['ecu_manufacturer', 'ecu', 'mcu']),
    engine: describe(
      engine,
      ['name', 'version', 'power', 'torque', 'fuel'],
      ['', '', ' hp', ' Nm'],
    ),
    serialNumber: describe(json, ['slave_id']),
  };
}

export const autotunerKind = createStatelessKind({
  finalStatuses: [500],
  headers: ({ client, secret }) => ({
    'x-autotuner-id': client ?? '',
    'x-autotuner-api-key': secret,
  }),
  decode: {
    request: (read) => ({
      path: '/decrypt',
      content: { json: { mode, data: read.toString('base64') } },
    }),
    read(json) {
      // first: without it, the response may be damaged, and is requested again
      const bytes = readHashedData(json, hash);
      refuseBackup(memberOf(json, 'mode'), bytes);
      return {
        name: null,
        mode: 'obd',
        images: [{ component: 'obd', bytes }],
        context: readContext(json),
        facts: { information: describeRead(json) },
      };
    },
  },
  encode: {
    request(images, context) {
      const [image] = images.values();
      if (image === undefined || !identifiers.every((name) => isIdentifier(context[name])))
        throw new RequestRefused(unknownContext);
      return {
        path: '/encrypt',
        content: { json: { mode, data: image.toString('base64'), ...context } },
      };
    },
    read: (json) => readHashedData(json, hash),
  },
});
