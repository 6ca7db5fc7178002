/** Serves `/.well-known/security.txt` (RFC 9116), which specifies where to report a vulnerability of this portal. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../config/clock.ts';
import type { OwnLinks } from '../config/own-links.ts';
import type { Config } from '../config/config.ts';

const path = '/.well-known/security.txt';
/** Readers should not rely on the text for longer: 30 days, in milliseconds. */
const validity = 30 * 86_400_000;

/** Serves the text if the operator has set a support link that the RFC allows; otherwise there is none. */
export function serveSecurityText(
  app: FastifyInstance,
  {
    config,
    clock,
    readLinks,
  }: {
    readonly config: Pick<Config, 'publicUrl'>;
    readonly clock: Clock;
    /** The operator's links, as they are now. */
    readonly readLinks: () => Promise<OwnLinks>;
  },
): void {
  app.get(path, async (_request, reply) => {
    const contact = (await readLinks()).support?.replaceAll('{language}', 'en');
    if (contact === undefined || !/^(https|mailto):/.test(contact)) return reply.callNotFound();
    const expires = new Date(clock.now().getTime() + validity).toISOString();
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      `Canonical: ${config.publicUrl}${path}`,
      '',
    ];
    return reply.type('text/plain; charset=utf-8').send(lines.join('\n'));
  });
}
