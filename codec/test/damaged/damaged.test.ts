/** Every damaged file results in its code, and in the error name that each family's page shows. */

import { readdirSync, readFileSync } from 'node:fs';
import { containerFamilies } from '@recodery/contract/families/registry';
import type { ContainerFamily, Workflow } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { errorNameOf, getCodec } from '../../src/families/registry.ts';
import { CodecError } from '../../src/errors.ts';
import { slaveOf } from '../slaves.ts';
import { damages } from './damages.ts';
import { type Damage, nameIn, readBy } from './builders.ts';

interface Fault {
  code: string;
  name: string;
}

function faultOf(family: ContainerFamily, file: Uint8Array, workflow: Workflow): Fault | 'decoded' {
  const { pairKey } = slaveOf(family);
  try {
    getCodec(workflow).decode({ file, pairKey, skipChecksum: false });
    return 'decoded';
  } catch (error) {
    if (!(error instanceof CodecError)) {
      throw error;
    }
    const code = error.internalCode;
    return { code, name: errorNameOf(code, { workflow }) };
  }
}

/** The codec's own result: it does not know masters and slaves, only that the key does not fit. */
function expectedOf(damage: Damage, name: string, family: ContainerFamily): Fault {
  return damage.isReportedByPortal === true
    ? {
        code: 'AUTHENTICATION_FAILED',
        name: errorNameOf('AUTHENTICATION_FAILED', { workflow: family }),
      }
    : { code: damage.code, name };
}

describe.each(containerFamilies)('on the page of %s', (family) => {
  const slave = slaveOf(family);
  const own = damages.flatMap((damage) => {
    const name = nameIn(family, damage.code, damage.names);
    return name === null ? [] : [{ what: damage.name, damage, name }];
  });

  // promise 5.files.archives, c.checks.damaged-codec
  test.each(own)('$what results in $name', ({ damage, name }) => {
    const workflow = damage.workflow ?? family;
    const fault = faultOf(family, damage.make(slave), workflow);
    expect(fault).toEqual(expectedOf(damage, name, family));
    expect(errorNameOf(damage.code, { workflow })).toBe(name);
  });

  test('decodes the file that they were made from', () => {
    expect(faultOf(family, readBy(slave), family)).toBe('decoded');
  });

  test('each file in the folder results in the code in its name', () => {
    const folder = new URL(`files/${family}/`, import.meta.url);
    const files = readdirSync(folder);
    expect(files.length).toBe(own.length);
    for (const file of files) {
      const [name = '', code] = file.split('.');
      const damage = own.find(({ what }) => what === name)?.damage;
      const fault = faultOf(
        family,
        readFileSync(new URL(file, folder)),
        damage?.workflow ?? family,
      );
      const expected = damage?.isReportedByPortal === true ? 'AUTHENTICATION_FAILED' : code;
      expect([file, fault === 'decoded' ? fault : fault.code]).toEqual([file, expected]);
    }
  });
});
