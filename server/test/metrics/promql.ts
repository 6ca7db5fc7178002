/**
 * The part of PromQL that the alert rules use, with Prometheus' own arithmetic. Anything else is an error, so that a rule is
 * never judged by a part of it.
 */

type Labels = Readonly<Record<string, string>>;
interface Point {
  readonly labels: Labels;
  readonly value: number;
}
interface Sample {
  readonly at: number;
  readonly value: number;
}

/** What a target served, with the names of series as in its text, at a time in seconds. */
export interface Scrape {
  readonly at: number;
  readonly series: readonly (Point & { readonly name: string })[];
}

/** The labels that Prometheus adds to all series of a target. */
const target: Labels = { job: 'recodery', instance: '127.0.0.1:9464' };

/** A scrape of a target at a time; null if the target did not respond. */
export function readScrape(text: string | null, at: number): Scrape {
  const lines = (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = lines.map((line) => {
    const [, name = '', list = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const own = [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', of = '']) => [key, of]);
    return { name, labels: { ...Object.fromEntries(own), ...target }, value: Number(value) };
  });
  return { at, series: [...series, { name: 'up', labels: target, value: text === null ? 0 : 1 }] };
}

type Vector = readonly Point[];
/** A part of an expression: its value at a time in the history. */
type Part<T> = (history: readonly Scrape[], at: number) => T;

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A duration such as `15m` in seconds. */
export function secondsOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (units[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) throw new Error(`${text} is not a duration`);
  return seconds;
}

/** Remembers the results of a function: most scrapes of a history have the same series. */
function remembered<K extends object, V>(find: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? find(key);
    known.set(key, value);
    return value;
  };
}

const keyOf = remembered((labels: Labels): string =>
  JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))),
);

/** Groups points by their labels. */
function groupBy(points: Vector, pick: (labels: Labels) => Labels): Map<string, Point[]> {
  return Map.groupBy(points, ({ labels }) => keyOf(pick(labels)));
}

/** The growth of a counter in a range, extrapolated to its ends as Prometheus does. */
function growthOf(samples: readonly Sample[], from: number, to: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < 2) return null;
  const resets = samples.map(({ value }, at) =>
    value < (samples[at - 1]?.value ?? 0) ? (samples[at - 1]?.value ?? 0) : 0,
  );
  const growth = last.value - first.value + resets.reduce((sum, one) => sum + one, 0);
  const sampled = last.at - first.at;
  const mean = sampled / (samples.length - 1);
  const within = (gap: number): number => (gap >= mean * 1.1 ? mean / 2 : gap);
  const toZero = growth > 0 ? sampled * (first.value / growth) : Number.POSITIVE_INFINITY;
  const start = Math.min(within(first.at - from), toZero);
  return (growth * (sampled + start + within(to - last.at))) / sampled;
}

const functions: Readonly<
  Record<string, (samples: readonly Sample[], from: number, to: number) => number | null>
> = {
  increase: growthOf,
  rate(samples, from, to) {
    const growth = growthOf(samples, from, to);
    return growth === null ? null : growth / (to - from);
  },
  min_over_time: (samples) => Math.min(...samples.map(({ value }) => value)),
};

const aggregations: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, one) => sum + one, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
};

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '==': (value, limit) => value === limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
};

const matchers: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '=~': (value, wanted) => new RegExp(`^(?:${wanted})$`).test(value),
};

class Parser {
  #rest: string;
  constructor(text: string) {
    this.#rest = text.trim();
  }

  /** The groups of a pattern at the start of the rest, which is then read; null if it does not match. */
  #take(pattern: RegExp): readonly string[] | null {
    const found = new RegExp(`^(?:${pattern.source})\\s*`).exec(this.#rest);
    if (found === null) return null;
    this.#rest = this.#rest.slice(found[0].length);
    return found.slice(1);
  }

  #need(pattern: RegExp): readonly string[] {
    const found = this.#take(pattern);
    if (found === null) throw new Error(`PromQL that no test understands: ${this.#rest}`);
    return found;
  }

  rule(): Part<Vector> {
    const value = this.#quotient();
    const [operator = '', limit = ''] = this.#need(/(==|>|<)\s*([\d.]+)/);
    this.#need(/$/);
    const holds = comparisons[operator];
    return (...when) => value(...when).filter((one) => holds?.(one.value, Number(limit)) === true);
  }

  #quotient(): Part<Vector> {
    const above = this.#vector();
    if (this.#take(/\//) === null) return above;
    const below = this.#vector();
    return (...when) => {
      const by = groupBy(below(...when), (labels) => labels);
      return above(...when).flatMap(({ labels, value }) =>
        (by.get(keyOf(labels)) ?? []).map((one) => ({ labels, value: value / one.value })),
      );
    };
  }

  #vector(): Part<Vector> {
    const [name = ''] = this.#need(/([a-z_]\w*)/);
    const aggregate = aggregations[name];
    const [list = ''] = aggregate === undefined ? [] : (this.#take(/by\s*\(([\w, ]*)\)/) ?? []);
    if (aggregate !== undefined) {
      const kept = list.split(',').map((label) => label.trim());
      this.#need(/\(/);
      const of = this.#vector();
      this.#need(/\)/);
      const pick = (labels: Labels): Labels =>
        Object.fromEntries(Object.entries(labels).filter(([label]) => kept.includes(label)));
      return (...when) =>
        [...groupBy(of(...when), pick).values()].map((points) => ({
          labels: pick(points[0]?.labels ?? {}),
          value: aggregate(points.map(({ value }) => value)),
        }));
    }
    const calculate = functions[name];
    if (calculate === undefined) return this.#instant(name);
    this.#need(/\(/);
    const [metric = ''] = this.#need(/([a-z_]\w*)/);
    const select = this.#selector(metric);
    const [duration = ''] = this.#need(/\[(\w+)\]/);
    this.#need(/\)/);
    const seconds = secondsOf(duration);
    return (history, at) => {
      const from = at - seconds;
      const samples = history
        .filter((scrape) => scrape.at > from && scrape.at <= at)
        .flatMap(({ at: time, series }) =>
          select(series).map(({ labels, value }) => ({ labels, at: time, value })),
        );
      return [...Map.groupBy(samples, ({ labels }) => keyOf(labels)).values()].flatMap((own) => {
        const value = calculate(own, from, at);
        return value === null ? [] : [{ labels: own[0]?.labels ?? {}, value }];
      });
    };
  }

  /** The series of a metric in the latest scrape: one that is missing there is stale. */
  #instant(metric: string): Part<Vector> {
    const select = this.#selector(metric);
    return (history, at) => select(history.findLast((scrape) => scrape.at <= at)?.series ?? []);
  }

  #selector(metric: string): (series: Scrape['series']) => Scrape['series'] {
    const [list = ''] = this.#take(/\{([^}]*)\}/) ?? [];
    const wanted = list
      .split(',')
      .filter((one) => one !== '')
      .map((one) => {
        const [, label = '', operator = '', value = ''] =
          /^\s*(\w+)(=~|!=|=)"([^"]*)"\s*$/.exec(one) ?? [];
        const matches = matchers[operator];
        if (matches === undefined) throw new Error(`PromQL that no test understands: ${one}`);
        return (labels: Labels) => matches(labels[label] ?? '', value);
      });
    return remembered((series) =>
      series.filter(
        ({ name, labels }) => name === metric && wanted.every((matches) => matches(labels)),
      ),
    );
  }
}

/** An alert rule, as in its file. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}

/** Whether a rule fires at the end of a history, in which Prometheus evaluates it after each scrape. */
export function fires(
  { expr, for: duration = '0s' }: AlertRule,
  history: readonly Scrape[],
): boolean {
  const evaluate = new Parser(expr).rule();
  let since = new Map<string, number>();
  for (const { at } of history)
    since = new Map(
      evaluate(history, at).map(({ labels }): [string, number] => [
        keyOf(labels),
        since.get(keyOf(labels)) ?? at,
      ]),
    );
  const end = history.at(-1)?.at ?? 0;
  return [...since.values()].some((start) => end - start >= secondsOf(duration));
}
