/** The files that `recodery remote encode` is given, and which component each of them is. */
import { basename } from 'node:path';
import {
  type ComponentName,
  componentExtensions,
  componentNames,
  type Mode,
} from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { WrongUse } from './command.ts';

/** The components that have their own option. */
export const componentOptions = componentNames.filter((name) => name !== 'obd');

export interface ImageOptions
  extends Partial<Readonly<Record<Exclude<ComponentName, 'obd'>, string>>> {
  /** Each `FILE` or `COMPONENT=FILE`. */
  readonly modified?: readonly string[];
  readonly original?: string;
}

/** A file of an encode. */
export interface GivenImage {
  readonly role: 'modified' | 'original';
  readonly component: ComponentName;
  readonly path: string;
  /** True when only the file's name shows which component it is. */
  readonly isGuess: boolean;
}

/** The given files. @throws {WrongUse} when it is unclear what they are */
export function parseImages(options: ImageOptions): readonly GivenImage[] {
  const { modified = [], original } = options;
  const images: GivenImage[] = modified.map((word) => parseModified(word, modified.length === 1));
  for (const component of componentOptions) {
    const path = options[component];
    if (path !== undefined) images.push({ role: 'modified', component, path, isGuess: false });
  }
  const components = images.map((one) => one.component);
  const twice = components.find((one, at) => components.indexOf(one) < at);
  if (twice !== undefined) throw new WrongUse(`${twice} was passed twice.`);
  if (images.length === 0)
    throw new WrongUse('Pass --modified FILE, or components such as --modified flash=FILE.');
  if (components.includes('obd') && components.length > 1)
    throw new WrongUse('Pass one modified image, or components such as flash=FILE, not both.');
  if (original === undefined) return images;
  return [...images, { role: 'original', component: 'obd', path: original, isGuess: false }];
}

function parseModified(word: string, isAlone: boolean): GivenImage {
  const at = word.indexOf('=');
  const named = componentNames.find((one) => one === word.slice(0, Math.max(0, at)).toLowerCase());
  const role = 'modified';
  if (named !== undefined)
    return { role, component: named, path: word.slice(at + 1), isGuess: false };
  const guess = guessComponent(word);
  if (guess !== undefined) return { role, component: guess, path: word, isGuess: true };
  if (isAlone) return { role, component: 'obd', path: word, isGuess: false };
  throw new WrongUse(
    `Which component is ${word}? Pass it as COMPONENT=FILE, such as flash=${word}.`,
  );
}

/** By a name such as `car.flash.mod.bin`, which `watch` uses, or by the extension of the portal's decoded files. */
function guessComponent(path: string): ComponentName | undefined {
  const file = basename(path).toLowerCase();
  return componentOptions.find(
    (name) =>
      file.endsWith(componentExtensions[name]) ||
      new RegExp(`(^|[._-])${name}([._-]mod(ified)?)?\\.bin$`).test(file),
  );
}

/** What a 404 for an upload means: the slot exists, so the read file has no such component. */
export function describeMissingImage({ component, path, isGuess }: GivenImage): string {
  if (component === 'obd')
    return `${path}: the read file has components. Pass each as COMPONENT=FILE, such as --modified flash=FILE.`;
  const guessed = isGuess ? ' If it is the one image of the read file, pass it as obd=FILE.' : '';
  return `${path}: the read file has no ${component}.${guessed}`;
}

/** The files under the family's names, and the mode that they belong to. @throws {WrongUse} */
export function settleImages(
  given: readonly GivenImage[],
  family: Family,
): { readonly mode: Mode; readonly images: readonly GivenImage[] } {
  const { modes, name } = definitionOf(family);
  // if there is only one image, its file can have any name
  const images = given.map((one) =>
    one.isGuess && modes.bootbench === undefined ? { ...one, component: 'obd' as const } : one,
  );
  const isImage = images.every(({ component }) => component === 'obd');
  if (!isImage && images.some(({ component }) => component === 'obd'))
    throw new WrongUse('--original belongs to a read file with one image.');
  const mode: Mode = isImage ? 'obd' : 'bootbench';
  const possible = modes[mode];
  if (possible === undefined)
    throw new WrongUse(
      isImage
        ? `A ${name} slot has components. Pass each as COMPONENT=FILE, such as --modified flash=FILE.`
        : `A ${name} slot has one image. Pass it as --modified FILE.`,
    );
  const strange = images.find(({ component }) => !possible.includes(component));
  if (strange === undefined) return { mode, images };
  throw new WrongUse(
    `A ${name} slot has no ${strange.component}. It can have ${possible.join(', ')}.`,
  );
}
