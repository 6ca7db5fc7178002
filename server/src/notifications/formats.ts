/** Times and sizes as mails and the public page write them: those who read them have no session, and no time zone that we know. */

const units = ['B', 'KiB', 'MiB', 'GiB'] as const;
/** The units where a language does not write them as above. */
const ownUnits: Readonly<Record<string, readonly string[]>> = {
  'fr-FR': ['o', 'Kio', 'Mio', 'Gio'],
  'ru-RU': ['Б', 'КиБ', 'МиБ', 'ГиБ'],
};

/** A point in time to the minute, in UTC. */
export function formatTime(time: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
}

/** A size in bytes, by the largest unit of which it has at least one; no line breaks inside. */
export function formatSize(bytes: number, locale: string): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return `${number.format(bytes / 1024 ** power)}\u00a0${(ownUnits[locale] ?? units)[power]}`;
}
