/** Makes one module of several files of texts, so that a page loads all that it needs of its language at once. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** `one.json?with=two,three` is a module with the texts of all three files of its folder. */
export function joinTexts(): Plugin {
  return {
    name: 'recodery-join-texts',
    enforce: 'pre',
    load(id) {
      const [path = '', others] = id.split('?with=');
      if (others === undefined) return null;
      const paths = [path, ...others.split(',').map((name) => join(dirname(path), `${name}.json`))];
      for (const one of paths) this.addWatchFile(one);
      const texts: object[] = paths.map((one) => JSON.parse(readFileSync(one, 'utf8')));
      const code = `export default ${JSON.stringify(Object.assign({}, ...texts))};`;
      return { code, moduleType: 'js' };
    },
  };
}
