/** Searches texts for secrets, quickly also if both are many. */
import { decode, type Secret } from './find-secrets.ts';

/** Every secret is looked up by its last characters: thousands of tickets begin with the time of their file's GUID. */
const end = 8;

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
  const byEnd = new Map<string, { readonly kind: string; readonly spelling: string }[]>();
  for (const secret of secrets)
    for (const spelling of spellingsOf(secret)) {
      const one = { kind: secret.kind, spelling };
      const same = byEnd.get(spelling.slice(-end));
      if (same === undefined) byEnd.set(spelling.slice(-end), [one]);
      else same.push(one);
    }
  const findInLine = (line: string): readonly Leak[] => {
    const found: { readonly kind: string; readonly spelling: string }[] = [];
    for (let at = end; at <= line.length; at += 1)
      for (const one of byEnd.get(line.slice(at - end, at)) ?? [])
        if (line.endsWith(one.spelling, at)) found.push(one);
    let shown = line;
    for (const { spelling } of found) shown = shown.replaceAll(spelling, '…');
    return found.map(({ kind }) => ({ kind, line: shown.slice(0, 600) }));
  };
  return (text) => text.split('\n').flatMap(findInLine);
}
