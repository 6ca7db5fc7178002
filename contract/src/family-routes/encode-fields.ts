/** What the body of an encode contains, in the family's names for its fields and in terms that all families share. */
import { type InputOf, zeroGuid } from '../api.ts';
import type { UploadPlace } from '../families/encoding-api-family.ts';
import type { ComponentName } from '../families/family.ts';
import type { NotificationInfo } from '../features/recoding/recoding.ts';
import type { BodyField, EncodeCall } from './calls.ts';
import type { EncodeRoute } from './portal-routes.ts';

/** An uploaded file, and what it is for. */
export interface PlacedFile extends UploadPlace {
  readonly fileGUID: string;
}

/** What every encode contains, in terms that all families share. */
export interface EncodeFields {
  readonly slotGUID: string;
  readonly files: readonly PlacedFile[];
  readonly removed: readonly ComponentName[];
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  /** Of a real control unit, in images whose protocol defines no checksums. */
  readonly willCorrectChecksums: boolean;
  readonly contextData: string | null;
  readonly notificationInfo: NotificationInfo | null;
}

/** The value of the field with this meaning; undefined if the body has no such field. */
function valueOf({ body: fields }: EncodeCall, means: BodyField['means'], body: Body): unknown {
  const found = Object.entries(fields).find(([, field]) => field.means === means);
  return found && body[found[0]];
}

/** The body of an encode's request. */
type EncodeBody = NonNullable<InputOf<EncodeRoute>['body']>;

type Body = Readonly<Record<string, unknown>>;

/** The files of a list by keys, or of a whole body. */
function filesAt(places: readonly (readonly [string, UploadPlace])[], listed: Body): PlacedFile[] {
  return places.flatMap(([name, place]) => {
    const fileGUID = listed[name];
    return typeof fileGUID === 'string' ? [{ ...place, fileGUID }] : [];
  });
}

/** The files that a body names. */
function filesIn({ body: fields }: EncodeCall, body: Body): PlacedFile[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.means === 'file') return filesAt([[name, field.place]], body);
    if (field.means !== 'files') return [];
    return filesAt(Object.entries(field.keys), (body[name] ?? {}) as Body);
  });
}

/** Reads a body that the route's schema has accepted. */
export function readEncode(call: EncodeCall, body: Body): EncodeFields {
  const removed = Object.entries(call.body).flatMap(([name, field]) =>
    field.means === 'removal' && body[name] === true ? [field.component] : [],
  );
  return {
    slotGUID: String(valueOf(call, 'slot', body)),
    files: filesIn(call, body),
    removed,
    willCorrectCVN: valueOf(call, 'willCorrectCVN', body) === true,
    willSkipChecksum: valueOf(call, 'willSkipChecksum', body) === true,
    willCorrectChecksums: valueOf(call, 'willCorrectChecksums', body) === true,
    contextData: (valueOf(call, 'contextData', body) ?? null) as string | null,
    notificationInfo: (valueOf(call, 'notificationInfo', body) ?? null) as NotificationInfo | null,
  };
}

/** The request for an encode of uploaded files; for `isReencode`, of the decoded image without changes. */
export type EncodeQuestion = EncodeFields & { readonly isReencode: boolean };

function writeField(field: BodyField, question: EncodeQuestion): unknown {
  const { files, isReencode } = question;
  const guidAt = ({ role, component }: UploadPlace): string | null =>
    isReencode && role === 'modified'
      ? zeroGuid
      : (files.find((file) => file.role === role && file.component === component)?.fileGUID ??
        null);
  switch (field.means) {
    case 'slot':
      return question.slotGUID;
    case 'file':
      return guidAt(field.place);
    case 'files':
      return Object.fromEntries(
        Object.entries(field.keys).map(([key, place]) => [key, guidAt(place)]),
      );
    case 'removal':
      return question.removed.includes(field.component);
    default:
      return question[field.means];
  }
}

/** Writes a body in the family's names. */
export function writeEncode(call: EncodeCall, question: EncodeQuestion): EncodeBody {
  const fields = Object.entries(call.body).map(([name, field]) => [
    name,
    writeField(field, question),
  ]);
  // each value has the type of its field's schema
  return Object.fromEntries(fields) as EncodeBody;
}
