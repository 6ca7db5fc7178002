/** Formats numbers, sizes and times for each language. */
import type { Language } from './languages.ts';

/** The units of sizes, each 1024 times the previous one, in languages that do not write `B`, `KiB`, `MiB` and `GiB`. */
const ownUnits: Readonly<Partial<Record<Language, readonly string[]>>> = {
  'fr-FR': ['o', 'Kio', 'Mio', 'Gio'],
  'ru-RU': ['Б', 'КиБ', 'МиБ', 'ГиБ'],
};

/** Separates a number from its unit without allowing a line break. */
const noBreak = '\u00a0';

function unitsOf(language: Language): readonly string[] {
  return ownUnits[language] ?? ['B', 'KiB', 'MiB', 'GiB'];
}

/** A size to the byte: `524,288 B`; no line breaks inside. */
export function bytesText(bytes: number, language: Language): string {
  return `${numberText(bytes, language)}${noBreak}${unitsOf(language)[0]}`;
}

/** A size in bytes, in B, KiB, MiB or GiB: `6.1 MiB`, `4 MiB`, `64 KiB`, `512 B`; no line breaks inside. */
export function sizeText(bytes: number, language: Language): string {
  if (bytes < 1024) return bytesText(bytes, language);
  const units = unitsOf(language);
  let unit = 1;
  let value = bytes / 1024;
  // 1023.5 is already written as 1024
  while (value >= 1023.5 && unit < units.length - 1) {
    unit += 1;
    value /= 1024;
  }
  const hasTenths = unit > 1 && value < 100 && value % 1 !== 0;
  const text = hasTenths ? tenthsText(value, language) : numberText(value, language);
  return `${text}${noBreak}${units[unit]}`;
}

/** A number with one decimal. */
export function tenthsText(value: number, language: Language): string {
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language, tenths).format(value);
}

/** A whole number with the language's grouping. */
export function numberText(value: number, language: Language): string {
  // The same in all nine languages. Creating the first formatter of a page blocks it for tens of milliseconds.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value);
}

/** Several things in one sentence: `5, 6 and 7`. */
export function listText(things: readonly string[], language: Language): string {
  return new Intl.ListFormat(language).format(things);
}

/** One of several things in one sentence: `8 KiB or 16 KiB`. */
export function eitherText(things: readonly string[], language: Language): string {
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(things);
}

/** A share from 0 to 1 as a whole percentage. */
export function percentText(fraction: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(
    fraction,
  );
}

/** A share from 0 to 1 with two significant digits: `57%`, `0.081%`, `99.98%`. Only 0 is 0%, and only 1 is 100%. */
export function shareText(fraction: number, language: Language): string {
  const percent = fraction * 100;
  if (percent <= 99 || percent >= 100) {
    const digits = { style: 'percent', maximumSignificantDigits: percent > 99 ? 3 : 2 } as const;
    return new Intl.NumberFormat(language, digits).format(fraction);
  }
  // rounded down, with as many decimals as the rest needs
  const decimals = Math.min(6, Math.max(1, Math.ceil(-Math.log10(100 - percent))));
  const floor = Math.floor(percent * 10 ** decimals) / 10 ** decimals;
  const digits = { style: 'percent', maximumFractionDigits: decimals } as const;
  return new Intl.NumberFormat(language, digits).format(floor / 100);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** How a language writes a date in digits; a pattern, because creating a first formatter takes tens of milliseconds. */
interface DatePattern {
  /** With `d`, `m` and `y` for day, month and year. */
  readonly full: string;
  readonly withoutYear: string;
}

const slashes: DatePattern = { full: 'd/m/y', withoutYear: 'd/m' };

const datePatterns: Readonly<Record<Language, DatePattern>> = {
  'de-DE': { full: 'd.m.y', withoutYear: 'd.m.' },
  'en-US': { full: 'm/d/y', withoutYear: 'm/d' },
  'es-ES': slashes,
  'fr-FR': slashes,
  'it-IT': slashes,
  'pl-PL': { full: 'd.m.y', withoutYear: 'd.m' },
  'pt-BR': slashes,
  'ru-RU': { full: 'd.m.y', withoutYear: 'd.m' },
  'zh-CN': { full: 'y/m/d', withoutYear: 'm/d' },
};

/** A calendar day. */
interface Day {
  readonly y: string;
  readonly m: string;
  readonly d: string;
}

const fill = (pattern: string, day: Day): string =>
  pattern.replace(/[ymd]/g, (part) => day[part as keyof Day]);

/**
 * A date that an ECU or its slave writes as `20150312` or `2015-03-12`, in the language's own form: `12/03/2015`,
 * `03/12/2015`, `12.03.2015`. Anything else stays unchanged.
 */
export function writtenDateText(written: string, language: Language): string {
  const [, y, m, d] =
    /^((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?:T.*)?$/.exec(written) ?? [];
  if (y === undefined || m === undefined || d === undefined) return written;
  return fill(datePatterns[language].full, { y, m, d });
}

/** `now` null: always with the whole date. */
function timeIn({ full, withoutYear }: DatePattern, iso: string, now: Date | null): string {
  const time = new Date(iso);
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  if (time.toDateString() === now?.toDateString()) return clock;
  const pattern = time.getFullYear() === now?.getFullYear() ? withoutYear : full;
  const [y, m, d] = [String(time.getFullYear()), two(time.getMonth() + 1), two(time.getDate())];
  return `${fill(pattern, { y, m, d })} ${clock}`;
}

/**
 * A time in the language's own form: `HH:mm` for today, else with the date, and with the year if it differs from that of
 * `now`. In the browser's own time zone.
 */
export function timeText(iso: string, now: Date, language: Language): string {
  return timeIn(datePatterns[language], iso, now);
}

/** A time with its whole date, for names, which are read on other days too. */
export function fullTimeText(iso: string, language: Language): string {
  return timeIn(datePatterns[language], iso, null);
}

/** A time in a notification, in the product's format for all languages: `HH:mm`, `dd/MM HH:mm` or `dd/MM/yyyy HH:mm`. */
export function notificationTimeText(iso: string, now: Date): string {
  return timeIn(slashes, iso, now);
}

/** An address in an image, as a hex editor shows it. */
export function hexAddress(offset: number): string {
  return `0x${offset.toString(16).toUpperCase()}`;
}
