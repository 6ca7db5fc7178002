/** The identification block of an image: its ECU and software. */

import { startsWith } from '../container/bytes.ts';
import type { ComponentSpec, IdentField, IdentFieldName } from './shape.ts';

/** The identification of an image; a field that the block leaves empty is absent. */
export type Ident = Readonly<Partial<Record<IdentFieldName, string>>>;

/** The fields that are equal in images of the same ECU and software; a tuner may change dates and version texts. */
const identityFields: readonly IdentFieldName[] = ['hardware', 'software', 'softwareUpgrade'];

/** ASCII without the padding of blanks, 00 and FF; null if it contains anything else. */
function readText(image: Uint8Array, { at, length }: IdentField): string | null {
  const bytes = image.subarray(at, at + length);
  let end = bytes.length;
  while (end > 0 && [0x00, 0x20, 0xff].includes(bytes[end - 1] ?? 0)) {
    end -= 1;
  }
  const text = bytes.subarray(0, end);
  return text.every((byte) => byte >= 0x20 && byte < 0x7f)
    ? String.fromCharCode(...text).trim()
    : null;
}

/**
 * The identification of an image, or null if it does not belong to an ECU of this protocol: no marker, or the hardware
 * number of an unlisted ECU. Fields that contain no text are omitted. Also null if the component has no identification
 * block.
 */
export function readIdent(spec: ComponentSpec, image: Uint8Array): Ident | null {
  const layout = spec.ident;
  if (layout === undefined) {
    return null;
  }
  const { marker, fields, ecus } = layout;
  if (!startsWith(image.subarray(marker.at), Buffer.from(marker.text))) {
    return null;
  }
  const ident: Partial<Record<IdentFieldName, string>> = {};
  for (const field of fields) {
    const text = readText(image, field);
    if (text !== null && text !== '') {
      ident[field.name] = text;
    }
  }
  return ecus.some(({ hardware }) => hardware === ident.hardware) ? ident : null;
}

/** Whether two images are of the same ECU and software: hardware, software and upgrade number agree. */
export function matchIdent(a: Ident, b: Ident): boolean {
  return identityFields.every((name) => a[name] === b[name]);
}
