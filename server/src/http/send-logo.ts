/** Sends a logo, which operators have uploaded. */
import type { FastifyReply } from 'fastify';

/** Sends a picture whose address changes with it. Sandboxed, because an SVG may contain a script. */
export async function sendLogo(
  reply: FastifyReply,
  { bytes, mediaType }: { readonly bytes: Buffer; readonly mediaType: string },
): Promise<void> {
  await reply
    .header('Cache-Control', 'public, max-age=31536000, immutable')
    .header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    )
    .header('X-Content-Type-Options', 'nosniff')
    .type(mediaType)
    .send(bytes);
}
