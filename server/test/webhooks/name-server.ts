/** A real name server on a loopback port that knows only the names that a test gives it. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** For a resolver's list of servers. */
  readonly address: string;
  /** The addresses of each name; a test may change them. */
  readonly names: Map<string, readonly string[]>;
  /** Queried names, once for each record type. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const types = { 1: 'ipv4', 28: 'ipv6' } as const;

/** Starts a name server. A name that it does not know does not exist. */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    asked.push(name);
    const kind = types[query.readUInt16BE(end) as keyof typeof types];
    const known = names.get(name);
    const records = (known ?? [])
      .map((one) => ipaddr.parse(one))
      .filter((one) => one.kind() === kind)
      .map((one) => Buffer.from(one.toByteArray()));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    // no other sections: the query may have an additional one
    header.writeUInt32BE(0, 8);
    const answers = records.flatMap((bytes) => [
      // the name of the question, its type and class, a TTL of 0
      Buffer.from([0xc0, 12]),
      query.subarray(end, end + 4),
      Buffer.from([0, 0, 0, 0, 0, bytes.length]),
      bytes,
    ]);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    async stop() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The name of a question, and where it ends. */
function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}
