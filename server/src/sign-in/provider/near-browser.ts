/** Whether a browser runs on this machine, as far as its request says: passwords that everybody knows work only there. */
import type { FastifyRequest } from 'fastify';
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
/** Headers in which proxies name the host that the browser asked for. */
const hostHeaders = ['host', 'x-forwarded-host', 'x-original-host', 'x-forwarded-server'];

/** Host or address without its port, and an IPv4 address as such. */
function bareName(text: string): string {
  const name = text.trim().replace(/^"(.*)"$/, '$1');
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(name)?.[1] ?? name.replace(/^([^:]*):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []].flat().flatMap((line) => line.split(','));
}

/** What `Forwarded` says of clients and hosts (RFC 7239), in every element. */
function namesInForwarded(header: string | readonly string[] | undefined): readonly string[] {
  const pairs = listOf(header).flatMap((element) => element.split(';'));
  return pairs.flatMap((pair) => /^\s*(?:for|host)\s*=(.*)$/is.exec(pair)?.[1] ?? []);
}

/** The proxies in `Via` (RFC 9110): a protocol, then a name. */
function namesInVia(header: string | readonly string[] | undefined): readonly string[] {
  return listOf(header).map((element) => element.trim().split(/\s+/)[1] ?? '');
}

/**
 * Whether the browser runs on this machine, by the name it came under and by all that proxies say of it. A proxy that
 * names another machine is believed in this: whoever lies here only locks himself out.
 */
export function isNear({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  if (headers.host === undefined) return false;
  const names = [
    ...[...hostHeaders, ...clientHeaders].flatMap((name) => listOf(headers[name])),
    ...namesInForwarded(headers.forwarded),
    ...namesInVia(headers.via),
  ];
  return names.every((name) => isLoopback(bareName(name)));
}
