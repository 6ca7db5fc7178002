/** Sends the traces of this process to an OpenTelemetry collector; loaded only if one is configured. */
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../config/log.ts';

/**
 * Starts to send. The address, its headers, the sampling and the name of the service come from OpenTelemetry's own
 * variables (OTEL_…).
 * @returns a function that sends the remaining traces, and stops
 */
export function sendTraces(log: Log, version: string): () => Promise<void> {
  const warn = (message: string): void => log.warn({ detail: message }, 'could not send traces');
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN },
  );
  const own = { 'service.name': 'recodery', 'service.version': version };
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return () => provider.shutdown();
}
