/**
 * Traces for OpenTelemetry: where a request or an operation spends its time. Without a collector, nothing is recorded.
 */
import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('recodery');

function markFailed(span: Span, errorType?: string): void {
  if (errorType !== undefined) span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs `work` as a span with the given attributes, and marks the span when it fails. */
export function traced<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // not its message, which can contain a file name
      markFailed(span, error instanceof Error ? error.name : 'Error');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Records a query that has just ended as a part of the current span; without a span, it is ignored. */
export function recordQuery(text: string, milliseconds: number, isFailed: boolean): void {
  if (trace.getActiveSpan() === undefined) return;
  const end = Date.now();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  const startTime = end - milliseconds;
  const span = tracer.startSpan('query', { kind: SpanKind.CLIENT, attributes, startTime });
  if (isFailed) markFailed(span);
  span.end(end);
}

/** The span of a request to this server. */
export interface RequestSpan {
  /** Calls `next` so that everything it starts belongs to the request. */
  run(next: () => void): void;
  end(name: string, attributes: Attributes, isFailed: boolean): void;
}

/** Starts the span of a request. It begins a new trace, regardless of the caller's headers. */
export function startRequest(): RequestSpan {
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
  const active = trace.setSpan(ROOT_CONTEXT, span);
  return {
    run: (next) => context.with(active, next),
    end(name, attributes, isFailed) {
      span.updateName(name).setAttributes(attributes);
      if (isFailed) markFailed(span);
      span.end();
    },
  };
}
