/** What a process measures: each metric with its labels, counted where it happens and read by Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of this process. They are counted even if no one reads them: it costs less than a microsecond. */
export const registry = new Registry();
const registers = [registry];

/** Seconds: from a request that only reads a row to an upload over a slow line. */
const requestBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300];
/** Seconds: from a small file on an idle machine to a vendor's engine or a long queue. */
const operationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
  new Counter({ name, help, labelNames: [...labelNames], registers });

/**
 * Serves the series with these labels from the start, with 0: Prometheus sees no growth in a series that begins with its
 * first event, and an alert would miss it.
 */
export function countFromZero<Label extends string>(
  of: Counter<Label>,
  series: readonly Readonly<Record<Label, string>>[],
): void {
  for (const labels of series) of.inc(labels, 0);
}

const histogram = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: readonly number[],
) => new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers });

/** Finished operations, by family, type and outcome: `succeeded`, `refused` (the file), `failed` (the portal). */
export const operationsEnded = counter('recodery_operations_total', 'Finished operations', [
  'family',
  'type',
  'outcome',
]);

/** Files that were sealed again for a late download, by family and outcome, as for `operationsEnded`. */
export const sealingsEnded = counter(
  'recodery_sealings_total',
  'Files sealed again for a late download',
  ['family', 'outcome'],
);

/** Seconds between the acceptance of an operation and its first attempt. */
export const operationWaiting = histogram(
  'recodery_operation_waiting_seconds',
  'Time from the acceptance of an operation to its first attempt',
  ['family'],
  operationBuckets,
);

/** Seconds between the first attempt and the end of an operation, including attempts that were repeated. */
export const operationRunning = histogram(
  'recodery_operation_running_seconds',
  'Time from the first attempt of an operation to its end',
  ['family'],
  operationBuckets,
);

/** Engine processes that exited during a task: `exit`, `time`, `memory`, `disk`, or `interrupted` from outside. */
export const enginesLost = counter(
  'recodery_engine_failures_total',
  'Engine processes that exited during a task',
  ['reason'],
);
countFromZero(
  enginesLost,
  ['exit', 'time', 'memory', 'disk', 'interrupted'].map((reason) => ({ reason })),
);

/** Attempts to send an email: `sent`, `stored` in the outbox, `postponed`, `refused` or `undeliverable`. */
export const emailAttempts = counter('recodery_email_attempts_total', 'Attempts to send an email', [
  'outcome',
]);
countFromZero(
  emailAttempts,
  ['sent', 'stored', 'postponed', 'refused', 'undeliverable'].map((outcome) => ({ outcome })),
);

/** Attempts to deliver a webhook: `delivered`, `postponed` or `failed`. */
export const webhookAttempts = counter(
  'recodery_webhook_attempts_total',
  'Attempts to deliver a webhook',
  ['outcome'],
);
countFromZero(
  webhookAttempts,
  ['delivered', 'postponed', 'failed'].map((outcome) => ({ outcome })),
);

/** Seconds until a response was sent, by route. The path of an unknown route is not a label: anyone can invent one. */
export const requests = histogram(
  'recodery_http_request_seconds',
  'Time from the start of a request to the end of its response',
  ['method', 'route', 'status'],
  requestBuckets,
);

/** Statements sent to the database, without those that begin or end a transaction. */
export const databaseStatements = counter(
  'recodery_database_statements_total',
  'Statements sent to the database, without those that begin or end a transaction',
  ['caller'],
);

/** Transactions of several statements; a statement on its own is not counted. */
export const databaseTransactions = counter(
  'recodery_database_transactions_total',
  'Transactions of several statements',
  ['caller'],
);

/** Event streams that are open in this process. */
export const openStreams = new Gauge({
  name: 'recodery_event_streams',
  help: 'Open event streams',
  registers,
});

/** A value that is measured each time Prometheus asks: pairs of labels and value. */
export interface Measured {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  measure(): Promise<
    readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]
  >;
}

/** Registers values that are measured on demand. While one cannot be measured, it is missing. */
export function registerMeasured(all: readonly Measured[], into: Registry): void {
  for (const { name, help, labels, measure } of all) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [into],
      async collect() {
        this.reset();
        // a database that is unavailable must not hide the other metrics
        for (const [of, value] of await measure().catch(() => [])) this.set({ ...of }, value);
      },
    });
  }
}
