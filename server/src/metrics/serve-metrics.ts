/** Serves the metrics of this process on a separate port, which only the operator's network should reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { CannotStart } from '../config/cannot-start.ts';
import type { Log } from '../config/log.ts';
import { type Measured, registerMeasured, registry } from './metrics.ts';

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

export interface MetricsOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  readonly version: string;
  /** What is measured when Prometheus asks. */
  readonly measured: readonly Measured[];
}

/**
 * Listens for Prometheus at `/metrics`.
 * @throws {CannotStart} when the port is taken
 */
export async function serveMetrics(options: MetricsOptions): Promise<MetricsServer> {
  const { host, port, log, version } = options;
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  const build = {
    name: 'recodery_build_info',
    help: 'The version of Recodery, as a label',
    labels: ['version'],
  };
  registerMeasured(
    [{ ...build, measure: async () => [[{ version }, 1]] }, ...options.measured],
    own,
  );
  const all = Registry.merge([registry, own]);
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end('The metrics are at /metrics.\n');
      return;
    }
    all.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': all.contentType }).end(text),
      (error: unknown) => {
        log.warn({ error }, 'could not read the metrics');
        response.writeHead(500).end();
      },
    );
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise.catch((error: Error) => {
    throw new CannotStart(
      `Could not serve metrics at ${host}:${port}: ${error.message}. Set RECODERY_METRICS_PORT or RECODERY_METRICS_HOST.`,
    );
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
