/** What the portal recognizes in the image of a control unit: its family and its numbers, each with its place. */
import * as z from 'zod/mini';

/** What a field is. `calibration`: the id or data set of the calibration. `program`: the number of the program alone. */
export const recognizedFields = [
  'hardware',
  'software',
  'program',
  'calibration',
  'partNumber',
  'version',
  'engine',
  'date',
] as const;
export type RecognizedFieldName = (typeof recognizedFields)[number];

/** `certain`: the family, its software and a second proof. `probable`: the family and one number. */
const certainties = ['certain', 'probable'] as const;

/** `text`: the bytes at `offset` that contain the value, as they are in the image. */
const recognizedField = z.object({
  name: z.enum(recognizedFields),
  value: z.string(),
  offset: z.number(),
  text: z.string(),
});

/**
 * The control unit that an image belongs to, found in its bytes alone. `isValidated`: the rules of the family were
 * measured on real images; otherwise, they are from publications. `isSwapped`: the bytes of the image are exchanged in
 * pairs, and `text` is what they are after the exchange.
 */
export const recognition = z.object({
  family: z.string(),
  name: z.string(),
  certainty: z.enum(certainties),
  isValidated: z.boolean(),
  isSwapped: z.boolean(),
  fields: z.readonly(z.array(recognizedField)),
});
export type Recognition = z.infer<typeof recognition>;
export type RecognizedField = z.infer<typeof recognizedField>;
