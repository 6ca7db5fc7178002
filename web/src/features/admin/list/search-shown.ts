/** Searches records in what a list shows of them: the names of options in the user's language. */
import type { AnyRecord, AnyResource, KeepRecord } from '../records/records.ts';
import { valueText, type Writing } from '../records/resource-words.ts';

/** Whether a record shows all words of a search, in any case; null: the server searches. */
export function searchShown(
  writing: Writing,
  { fields, columns, search: searched, isSearchedAsShown }: AnyResource,
  search: string,
): KeepRecord | null {
  if (isSearchedAsShown !== true) return null;
  const fold = (text: string): string => text.toLocaleLowerCase(writing.language);
  const words = fold(search).split(/\s+/).filter(Boolean);
  const names = [...new Set([...columns, ...searched])];
  const textOf = (record: AnyRecord): string =>
    names
      .flatMap((name) => {
        const field = fields[name];
        const value = record[name];
        if (field === undefined || value === undefined || value === null) return [];
        // the name of a variable is shown as it is, and those who know it type it
        return [valueText(writing, name, field, value), String(value)];
      })
      .join('\n');
  return (record) => {
    const text = fold(textOf(record));
    return words.every((word) => text.includes(word));
  };
}
