/** Whether a browser runs on this machine, judging by its request: publicly known passwords work only there. */
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../config/config.ts';

/** Headers in which proxies name the client before them. */
const clientHeaders = [
  'x-forwarded-for',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
];
/** Headers in which proxies name the host that the browser requested. */
const hostHeaders = ['host', 'x-forwarded-host', 'x-original-host', 'x-forwarded-server'];

/** Host or address without its port; IPv4-mapped addresses become IPv4. */
function bareName(text: string): string {
  const name = text.trim().replace(/^"(.*)"$/, '$1');
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(name)?.[1] ?? name.replace(/^([^:]*):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []].flat().flatMap((line) => line.split(','));
}

/** The clients and hosts in all elements of `Forwarded` (RFC 7239). */
function namesInForwarded(header: string | readonly string[] | undefined): readonly string[] {
  const pairs = listOf(header).flatMap((element) => element.split(';'));
  return pairs.flatMap((pair) => /^\s*(?:for|host)\s*=(.*)$/is.exec(pair)?.[1] ?? []);
}

/** The proxies in `Via` (RFC 9110): a protocol, then a name. */
function namesInVia(header: string | readonly string[] | undefined): readonly string[] {
  return listOf(header).map((element) => element.trim().split(/\s+/)[1] ?? '');
}

/**
 * Whether the browser runs on this machine, based on the requested host and all proxy headers. A proxy header that
 * names a different machine is trusted here: a false one only locks out its sender.
 */
export function isNear({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (headers.host === undefined) return false;
  const names = [
    ...[...hostHeaders, ...clientHeaders].flatMap((name) => listOf(headers[name])),
    ...namesInForwarded(headers.forwarded),
    ...namesInVia(headers.via),
  ];
  return names.every((name) => isLoopback(bareName(name)));
}
