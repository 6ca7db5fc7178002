/** A file is compiled again if its content or the compiler has changed, and only then. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepCompiled } from '../keep-compiled.ts';

const root = '/project/web';
const file = join(root, 'src/page.tsx');

/** A compiler that notes what it compiles, in a folder of its own. */
function startCompiler() {
  const folder = mkdtempSync(join(tmpdir(), 'recodery-compiled-'));
  const compiled: string[] = [];
  const build = async (code: string, id = file, versions = 'one'): Promise<unknown> => {
    const compile = async (given: string) => {
      compiled.push(given);
      return given === 'nothing' ? null : { code: `compiled ${given}` };
    };
    const plugin = { name: 'compiler', transform: { handler: compile } };
    const { transform } = keepCompiled(plugin, { root, folder, versions });
    if (typeof transform !== 'object') throw new Error('the plugin has no handler');
    return Reflect.apply(transform.handler, null, [code, id]);
  };
  return { folder, compiled, build };
}

test('the next build takes an unchanged file from the last one', async () => {
  const { compiled, build } = startCompiler();
  expect(await build('first')).toEqual({ code: 'compiled first' });
  expect(await build('first')).toEqual({ code: 'compiled first' });
  expect(compiled).toEqual(['first']);
});

test('a file that the compiler does not change is kept too', async () => {
  const { compiled, build } = startCompiler();
  expect(await build('nothing')).toBeNull();
  expect(await build('nothing')).toBeNull();
  expect(compiled).toEqual(['nothing']);
});

test('changed content, another file and another compiler are compiled', async () => {
  const { folder, compiled, build } = startCompiler();
  await build('first');
  expect(await build('second')).toEqual({ code: 'compiled second' });
  await build('second', join(root, 'src/other.tsx'));
  await build('second', file, 'two');
  expect(compiled).toEqual(['first', 'second', 'second', 'second']);
  expect(readdirSync(folder), 'one for each source file').toHaveLength(2);
});

test('a damaged file is compiled again', async () => {
  const { folder, compiled, build } = startCompiler();
  await build('first');
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"of":');
  expect(await build('first')).toEqual({ code: 'compiled first' });
  expect(compiled).toHaveLength(2);
});
