/** What a tray is called: the name that its users gave it, else when it was made and how many reads it has. */
import { fullTimeText, numberText } from '../../i18n/formats.ts';
import type { Language } from '../../i18n/languages.ts';
import type { TextOf } from '../../i18n/texts.ts';

interface NamedTray {
  readonly name: string | null;
  readonly createdOn: string;
  readonly fileCount: number;
}

/** The name of a tray for a title or a list. */
export function trayName(
  { t, language }: { readonly t: TextOf; readonly language: Language },
  { name, createdOn, fileCount }: NamedTray,
): string {
  const time = fullTimeText(createdOn, language);
  return name ?? t('tray.unnamed', { time, reads: numberText(fileCount, language) });
}
