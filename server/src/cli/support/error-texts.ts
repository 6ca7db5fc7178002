/** Explains a file's internal code to the user at a terminal, and what to do next; in English, like every command. */
import { definitionOf, families } from '@recodery/contract/families/registry';
import { type InternalCode, isArchiveCode, wrongFamilyCode } from '@recodery/codec/errors';

const archive = 'The file is an archive, not a sealed file. Unpack it and use the file inside.';
const newer = 'The file was created by a newer version of Recodery. Update Recodery.';
const fetchAgain = 'Download or copy it again in a way that does not change its bytes.';

const wrongFamilies = Object.fromEntries(
  families.map((family) => [
    wrongFamilyCode(family),
    `The file belongs to a ${definitionOf(family).name} slave. Use the key of that slave.`,
  ]),
);

/** The codes that the inspection of a sealed file can return; all others belong to operations of the portal. */
const words: Partial<Readonly<Record<InternalCode, string>>> = {
  FILE_EMPTY: `The file is empty. ${fetchAgain}`,
  FILE_IS_ARCHIVE_VIM: "The file is an editor's swap file. Use the file that it belongs to.",
  FILE_NOT_RECOGNIZED:
    'The file is not a sealed file. It may be a plain image. Use the file that the portal or the slave created.',
  FILE_CORRUPTED_TEXT_TRANSFER: `The file was damaged because it was transferred as text. ${fetchAgain}`,
  FILE_TRUNCATED: `The file is incomplete. ${fetchAgain}`,
  UNEXPECTED_TRAILING_DATA: `The file is longer than its header declares. ${fetchAgain}`,
  FILE_TOO_LARGE:
    'The header of the file declares more bytes than a sealed file can have. The file was not created by Recodery.',
  BAD_HEADER: `The header of the file is damaged. ${fetchAgain}`,
  UNSUPPORTED_VERSION: newer,
  UNSUPPORTED_SUITE: newer,
  UNSUPPORTED_CRITICAL_FIELD: newer,
  ...wrongFamilies,
  WRONG_FILE_KIND:
    'The file is for the portal, such as a read file. A slave accepts only encoded files. Encode the file on the portal first.',
  WRONG_MASTER_CODE:
    "The file was encoded with another master device. Encode it with this slave's master, or use the key of the matching slave.",
  TOOL_NOT_FOUND:
    'The file was encoded for another slave. Use the key of that slave, or encode a read file of this slave.',
  AUTHENTICATION_FAILED:
    'The file was changed after it was sealed, or was sealed with another key. Download it again, and export the key again if the slave has moved to another master.',
  FILE_CORRUPTED: `The file was changed after it was sealed. ${fetchAgain}`,
  COMPONENT_DIGEST_MISMATCH:
    'A component does not match the header, so the file was not created correctly. Encode it again.',
  INFO_ERROR:
    'The vehicle information of the file cannot be read, so the file was not created correctly. Read the vehicle again.',
};

/** The code alone on the first line, for programs; then what it means and what to do. */
export function explainFault(code: InternalCode): string {
  const meaning = words[code] ?? (isArchiveCode(code) ? archive : undefined);
  return meaning === undefined ? code : `${code}\n${meaning}`;
}
