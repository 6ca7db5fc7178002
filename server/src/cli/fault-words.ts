/** Explains a file's internal code to the user at a terminal, and what to do next; in English, like every command. */
import { definitionOf, families } from '@recodery/contract/families/registry';
import { type InternalCode, isArchiveCode, wrongFamilyCode } from '@recodery/codec/errors';

const archive = 'It is an archive, not a sealed file: unpack it, and give the file inside.';
const newer = 'It was made by a newer version: bring this Recodery up to date.';
const fetchAgain = 'Fetch it again, by a way that leaves its bytes alone.';

const wrongFamilies = Object.fromEntries(
  families.map((family) => [
    wrongFamilyCode(family),
    `It belongs to a ${definitionOf(family).name}: use the key of that slave.`,
  ]),
);

/** The codes that the inspection of a sealed file can return; all others belong to operations of the portal. */
const words: Partial<Readonly<Record<InternalCode, string>>> = {
  FILE_EMPTY: `The file is empty. ${fetchAgain}`,
  FILE_IS_ARCHIVE_VIM: "It is an editor's swap file: give the file itself.",
  FILE_NOT_RECOGNIZED:
    'It is no sealed file, perhaps a plain image: give the file as the portal or the slave made it.',
  FILE_CORRUPTED_TEXT_TRANSFER: `It was sent as text, and so damaged. ${fetchAgain}`,
  FILE_TRUNCATED: `It is cut off. ${fetchAgain}`,
  UNEXPECTED_TRAILING_DATA: `It is longer than it says itself. ${fetchAgain}`,
  FILE_TOO_LARGE:
    'It declares more bytes than a sealed file may have: it was not made by Recodery.',
  BAD_HEADER: `Its header is damaged. ${fetchAgain}`,
  UNSUPPORTED_VERSION: newer,
  UNSUPPORTED_SUITE: newer,
  UNSUPPORTED_CRITICAL_FIELD: newer,
  ...wrongFamilies,
  WRONG_FILE_KIND:
    'It is a file for the portal, such as a read. A slave takes what the portal has encoded: encode it there first.',
  WRONG_MASTER_CODE:
    'It was encoded under another master device: encode it under the master of this slave, or use the key of its own.',
  TOOL_NOT_FOUND:
    'It was encoded for another slave: use the key of that one, or encode the read of this one.',
  AUTHENTICATION_FAILED:
    'It was changed after it was sealed, or is sealed with another key. Fetch it again, and export the key anew if the slave has moved to another master.',
  FILE_CORRUPTED: `It was changed after it was sealed. ${fetchAgain}`,
  COMPONENT_DIGEST_MISMATCH:
    'A component is not what the header says: the file was not made as it should be. Encode it again.',
  INFO_ERROR:
    'What it says of the vehicle cannot be read: the file was not made as it should be. Read the vehicle again.',
};

/** The code alone on the first line, for programs; then what it means and what to do. */
export function explainFault(code: InternalCode): string {
  const meaning = words[code] ?? (isArchiveCode(code) ? archive : undefined);
  return meaning === undefined ? code : `${code}\n${meaning}`;
}
