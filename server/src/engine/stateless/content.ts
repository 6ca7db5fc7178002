/** The body of a request to a maker's service: JSON, or a form. */
import { randomUUID } from 'node:crypto';

/** What a request contains. A form has texts and files, whose names the service does not get. */
export type Content =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string | Buffer>> };

/** The bytes of a request, and their type. */
export function writeContent(content: Content): {
  readonly contentType: string;
  readonly body: Buffer<ArrayBuffer>;
} {
  if ('json' in content)
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(content.json)) };
  // no file contains it: it is random
  const boundary = `recodery-${randomUUID()}`;
  const parts = Object.entries(content.form).flatMap(([name, value]) => {
    const isFile = typeof value !== 'string';
    const own = isFile ? '; filename="file.bin"\r\nContent-Type: application/octet-stream' : '';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${own}\r\n\r\n`;
    return [Buffer.from(head), isFile ? value : Buffer.from(value), Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
