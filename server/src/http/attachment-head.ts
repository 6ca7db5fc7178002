/** The headers of a download. */
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';

/** Writes the headers of every download: save as an attachment, under this name. */
export function writeAttachmentHead(reply: FastifyReply, name: string, mediaType: string): void {
  reply
    .type(mediaType)
    .header('content-disposition', contentDisposition(name))
    // If a browser displays it anyway, it is treated as an untrusted page without any rights.
    .header('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
}
