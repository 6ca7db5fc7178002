/**
 * A connection to a portal that a test can break: connections are refused, or responses to some requests never arrive.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  readonly url: string;
  /** False: every connection is closed immediately. */
  isUp: boolean;
  /** Requests that contain this text arrive, but their responses do not. */
  swallowed: string | null;
  close(): Promise<void>;
}

/** Opens a line to a port of 127.0.0.1. */
export async function openLine(port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (!line.isUp) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    let isMute = false;
    near.on('data', (part) => {
      if (line.swallowed !== null && part.includes(line.swallowed)) isMute = true;
      far.write(part);
    });
    far.on('data', (part) => {
      if (!isMute) near.write(part);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const line: Line = {
    url: `http://127.0.0.1:${own}`,
    isUp: true,
    swallowed: null,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return line;
}
