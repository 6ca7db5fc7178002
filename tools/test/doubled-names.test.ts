/** The check for exported names that several files define. */
import { expect, test } from 'vitest';
import { findNameFaults } from '../checks/doubled-names.ts';

const sources = {
  'web/src/job.ts': 'export interface Job {}\nconst inner = 1;\nexport const own = 2;\n',
  'server/src/job.ts':
    'export async function run() {}\nexport type Job = string;\nconst inner = 3;\n',
};

test('reports a name that two files export, with the files', () => {
  expect(findNameFaults(sources, new Set())).toEqual([
    'Job has two meanings: rename one of web/src/job.ts, server/src/job.ts',
  ]);
});

test('accepts the names of the list, and reports one that has become unique', () => {
  expect(findNameFaults(sources, new Set(['Job']))).toEqual([]);
  expect(findNameFaults(sources, new Set(['Job', 'own']))).toEqual([
    'own has one meaning: delete it from tools/checks/allowed-names.ts',
  ]);
});
