/**
 * A new family is its own files and one line in each registry: two invented ones are added to a copy of the packages, one
 * in the portal's own container, and one whose files only its vendor's stateless service opens.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectDir } from '../steps.ts';

const definitionOf = (name: string, title: string, own: string): string => `
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { kessv2 } from './kessv2.ts';
export const ${name} = {
  name: '${title}',
  ${own}
  operationTypes: { decode: '${title}Decode', encode: '${title}Encode' },
  encodedFileExtension: '.enc',
  componentTypes: [],
  modes: { obd: ['obd'] },
  mastersField: '${name}MasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: null,
  information: kessv2.information,
  decodeResult: kessv2.decodeResult,
} as const satisfies FamilyDefinition;
export const ${name}Workflow = {
  family: '${name}', right: null, verbs: 'decode-encode', readKind: 'read-file', encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;`;

const boxed = `
  container: { number: 201, errorNames: ['BOXED_BROKEN'], internalErrorNames: [], demoSlave: 'BOX-000001' },
  hasEncodingApi: true,`;
const stateless = `
  recognize: (start) =>
    start[0] !== 0x53 ? null : start[1] === 0x52 ? 'read-file' : start[1] === 0x45 ? 'encoded-file' : null,
  hasEncodingApi: false,`;

const routes = 'contract/src/family-routes';
const page = 'web/src/features/recoding/families';

/** The files of the two families. */
const added: Readonly<Record<string, string>> = {
  'contract/src/families/boxed.ts': definitionOf('boxed', 'Boxed', boxed),
  [`${routes}/boxed.ts`]: `
import { kessv2 } from './kessv2.ts';
export const { calls } = kessv2;
export const boxed = { ...kessv2, encodingApi: () => ({ ...kessv2.encodingApi(), decodePath: 'decode-box' }) };`,
  'codec/src/families/boxed.ts': `
import { classicErrors } from './kessv2-ktag-errors.ts';
import { makeCodec } from './make-codec.ts';
export const boxed = makeCodec({
  workflow: 'boxed', mayImageBeMissing: true, errorNames: { ...classicErrors, FILE_TRUNCATED: 'BOXED_BROKEN' },
});`,
  'contract/src/families/stateless.ts': definitionOf('stateless', 'Stateless', stateless),
  [`${routes}/stateless.ts`]: `
import { ktag } from './ktag.ts';
export const { calls } = ktag;
export const stateless = { calls, summaries: ktag.summaries, writeResult: ktag.writeResult };`,
};

/** The entries of the registries: each is put before what is already there, on one line or on several. */
const entries: readonly (readonly [file: string, before: RegExp, entry: string])[] = [
  [
    'contract/src/families/registry.ts',
    /import \{ kess3,/,
    "import { boxed, boxedWorkflow } from './boxed.ts';\nimport { stateless, statelessWorkflow } from './stateless.ts';\n",
  ],
  ['contract/src/families/registry.ts', /kessv2,\s+ktag,/, 'boxed, stateless, '],
  [
    'contract/src/families/registry.ts',
    /kessv2: kessv2Workflow,/,
    'boxed: boxedWorkflow, stateless: statelessWorkflow, ',
  ],
  [
    `${routes}/registry.ts`,
    /import \{ kess3 \}/,
    "import { boxed } from './boxed.ts';\nimport { stateless } from './stateless.ts';\n",
  ],
  [`${routes}/registry.ts`, /kessv2,\s+ktag,/, 'boxed, stateless, '],
  ['codec/src/families/registry.ts', /import \{ kess3 \}/, "import { boxed } from './boxed.ts';\n"],
  ['codec/src/families/registry.ts', /kessv2,\s+ktag,/, 'boxed, '],
  [
    `${page}/registry.ts`,
    /kessv2: \{/,
    "  boxed: { icon: Cpu, load: () => plain('boxed', import('@recodery/contract/family-routes/boxed')) },\n  stateless: { icon: Cpu, load: () => plain('stateless', import('@recodery/contract/family-routes/stateless')) },\n",
  ],
];

/** A copy of the packages with both families. */
function copyWithFamilies(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recodery-new-family-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['contract', 'codec', 'web']) {
    cpSync(join(projectDir, part, 'src'), join(folder, part, 'src'), { recursive: true });
    cpSync(join(projectDir, part, 'package.json'), join(folder, part, 'package.json'));
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@recodery'), { recursive: true });
  for (const part of ['contract', 'codec'])
    symlinkSync(join(folder, part), join(modules, '@recodery', part), 'junction');
  for (const name of ['zod', 'react', 'lucide-react', '@tanstack'])
    symlinkSync(join(projectDir, 'node_modules', name), join(modules, name), 'junction');
  for (const [file, source] of Object.entries(added)) writeFileSync(join(folder, file), source);
  for (const [file, before, entry] of entries) {
    const source = readFileSync(join(folder, file), 'utf8');
    expect(source.split(before)).toHaveLength(2);
    writeFileSync(join(folder, file), source.replace(before, `${entry}$&`));
  }
  return folder;
}

const script = `
import { errorNameOf, getCodec } from '@recodery/codec/families/registry';
import { encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { errorNamesOf } from '@recodery/contract/families/registry';
import { portalCalls, portalRoutes } from '@recodery/contract/family-routes/registry';
import { engineDefinitions } from '@recodery/contract/features/engines';
import { magic, recognizeStart } from '@recodery/contract/recognize';
import { loadPage } from './src/features/recoding/families/registry.ts';
import { readRefusalReason, pageOf } from './src/features/recoding/flow/reads/recognize-read.ts';
const start = (...bytes) => recognizeStart(Uint8Array.from(bytes));
const read = start(0x53, 0x52);
const describe = async (family) => {
  const page = await loadPage(family);
  const file = { name: 'a', size: 2 };
  const refusal = readRefusalReason(page, read, file, { maxFileBytes: 10, takesForeignFiles: true });
  const { fault, goesTo } = refusal ?? {};
  return {
    paths: Object.values(portalRoutes[family]).map(({ path }) => path),
    images: portalCalls[family].images.map(({ name }) => name),
    api: [...encodingApiRoutes.keys()].filter((name) => name.startsWith(family + '.')),
    engines: Object.keys(engineDefinitions).filter((kind) => engineDefinitions[kind].families.includes(family)),
    page: [page.id, page.decodes, page.encodedExtension, page.identifiedBy[0]],
    ofOther: refusal && [fault.code, goesTo],
    broken: errorNameOf('FILE_TRUNCATED', { workflow: family }),
    ownErrors: errorNamesOf(family).filter((name) => name.startsWith('BOXED')),
  };
};
let codec = getCodec('boxed').rules.workflow;
try { getCodec('stateless'); codec = 'both'; } catch {}
console.log(JSON.stringify({
  boxed: await describe('boxed'),
  stateless: await describe('stateless'),
  recognized: [start(...magic, 1, 0, 201, 3), read, start(0x53, 0x45), start(0x53, 0x00)],
  opens: [pageOf(read), pageOf(start(0x53, 0x45))],
  codec,
}));`;

test('a family with a container, and one without, are their files and one line in each registry', () => {
  const folder = copyWithFamilies();
  writeFileSync(join(folder, 'web/print.mjs'), script);
  const printed = execFileSync(process.execPath, [join(folder, 'web/print.mjs')], {
    encoding: 'utf8',
  });
  const { boxed: box, stateless: service, ...others } = JSON.parse(printed);
  expect(box.paths).toContain('/api/boxed/encode-file');
  expect(box).toMatchObject({
    images: ['uploadModifiedFile', 'uploadOriginalFile'],
    engines: ['built-in', 'encoding-api'],
    page: ['boxed', 'BoxedDecode', '.enc', ['protocolName']],
    ofOther: ['INVALID_FILE', 'stateless'],
    broken: 'BOXED_BROKEN',
    ownErrors: ['BOXED_BROKEN'],
  });
  expect(box.api).toContain('boxed.decode');
  expect(service.paths).toContain('/api/stateless/encode-backup');
  expect(service).toMatchObject({
    images: ['uploadModifiedComponentFile'],
    api: [],
    engines: [],
    page: ['stateless', 'StatelessDecode', '.enc', ['protocolName']],
    ofOther: null,
    broken: 'UNEXPECTED_SIZE',
    ownErrors: [],
  });
  const file = { outcome: 'recognized', isContainer: false, family: 'stateless' };
  expect(others).toEqual({
    recognized: [
      { outcome: 'recognized', isContainer: true, family: 'boxed', kind: 'encoded-file' },
      { ...file, kind: 'read-file' },
      { ...file, kind: 'encoded-file' },
      { outcome: 'unknown' },
    ],
    opens: ['stateless', null],
    codec: 'boxed',
  });
}, 120_000);
