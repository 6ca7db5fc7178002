/** Searches texts for secrets, quickly also if both are many. */
import { decode, type Secret } from './find-secrets.ts';

/** Every secret is looked up by its first characters. */
const start = 8;

/** A secret that was found: its kind, and the line without the values of secrets. */
export interface Leak {
  readonly kind: string;
  readonly line: string;
}

/** Every spelling in which a secret can appear. */
function spellingsOf({ value }: Secret): readonly string[] {
  return [
    ...new Set([
      value,
      decode(value),
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
    ]),
  ];
}

/** Returns the function that finds all of these secrets in a text. */
export function createSearch(secrets: readonly Secret[]): (text: string) => readonly Leak[] {
  const byStart = new Map<string, { readonly kind: string; readonly spelling: string }[]>();
  for (const secret of secrets)
    for (const spelling of spellingsOf(secret)) {
      const same = byStart.get(spelling.slice(0, start)) ?? [];
      byStart.set(spelling.slice(0, start), [...same, { kind: secret.kind, spelling }]);
    }
  const findInLine = (line: string): readonly Leak[] => {
    const found: { readonly kind: string; readonly spelling: string }[] = [];
    for (let at = 0; at + start <= line.length; at += 1)
      for (const one of byStart.get(line.slice(at, at + start)) ?? [])
        if (line.startsWith(one.spelling, at)) found.push(one);
    let shown = line;
    for (const { spelling } of found) shown = shown.replaceAll(spelling, '…');
    return found.map(({ kind }) => ({ kind, line: shown.slice(0, 600) }));
  };
  return (text) => text.split('\n').flatMap(findInLine);
}
