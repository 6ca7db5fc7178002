/** Formats times and sizes for emails and the public page: their readers have no session and no known time zone. */
import { clockIn } from '@recodery/contract/time-zones';

const units = ['B', 'KiB', 'MiB', 'GiB'] as const;
/** The units in the languages that write them differently. */
const ownUnits: Readonly<Record<string, readonly string[]>> = {
  'fr-FR': ['o', 'Kio', 'Mio', 'Gio'],
  'ru-RU': ['Б', 'КиБ', 'МиБ', 'ГиБ'],
};

/** The format for a point in time, to the minute, in a named time zone. */
function formatterFor(locale: string, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  });
}

/** What `Intl` writes differently from a language's readers: the zone before the time, and the first of a month. */
const customs: Readonly<Record<string, readonly [RegExp, string]>> = {
  'zh-CN': [/^(.*日) (\S+) ([\d:]+)$/, '$1 $3 $2'],
  'fr-FR': [/^1 /, '1er '],
};

function writeTime(time: Date, locale: string, timeZone: string): string {
  const text = formatterFor(locale, timeZone).format(time);
  const custom = customs[locale];
  return custom === undefined ? text : text.replace(...custom);
}

/** A point in time to the minute, in UTC. */
export function formatTime(time: Date, locale: string): string {
  return writeTime(time, locale, 'UTC');
}

/** Day and time of the clock in a time zone, such as `2026-12-02` and `06:56`. */
function readClock(time: Date, timeZone: string): string[] {
  return clockIn(timeZone).format(time).slice(0, -':ss'.length).split(' ');
}

/**
 * A time zone that times can be formatted in. An empty TZ gives the name `Etc/Unknown`, and an unknown one may give no
 * name: then it is UTC.
 */
export function usableTimeZone(name: string | undefined): string {
  return name === undefined || name === 'Etc/Unknown' ? 'UTC' : name;
}

/**
 * A point in time to the minute for readers whose time zone is unknown: in `timeZone`, a name such as `Europe/Rome`,
 * followed by UTC; only in UTC if the zone's clocks show the same time.
 */
export function formatTimeIn(time: Date, locale: string, timeZone: string): string {
  const [day, hour] = readClock(time, timeZone);
  const [utcDay, utcHour] = readClock(time, 'UTC');
  const utc = formatTime(time, locale);
  if (day === utcDay && hour === utcHour) return utc;
  // non-breaking spaces, as in sizes
  const beside = day === utcDay ? `${utcHour}\u00a0UTC` : utc;
  return `${writeTime(time, locale, timeZone)} (${beside})`;
}

/** A size in bytes, in the largest unit of which it has at least one; without line breaks. */
export function formatSize(bytes: number, locale: string): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return `${number.format(bytes / 1024 ** power)}\u00a0${(ownUnits[locale] ?? units)[power]}`;
}
