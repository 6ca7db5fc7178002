/**
 * One complete file workflow as commands for a POSIX shell with curl: the API page shows them, and a test runs them.
 */
import { sessionHeader } from '@recodery/contract/headers';

/** A step: what it does, the command, and the calls in the reference that it makes. */
export interface WorkflowStep {
  readonly title: string;
  /** Field names are in backticks. */
  readonly text: string;
  readonly command: string;
  /** The names of the calls, as in the contract. */
  readonly calls: readonly string[];
}

const session = `-H "${sessionHeader}: $session"`;

const poll = `while curl -fsS ${session} -o operation.json \\
    "$portal/api/async-operations/$operation" &&
  ! grep -q '"isCompleted":true' operation.json
do sleep 1; done`;

/** The steps before the first file: the portal's address, and a session. `publicUrl` is the portal's origin. */
export function signInSteps(publicUrl: string): readonly WorkflowStep[] {
  return [
    {
      title: 'Prepare the shell',
      text: 'Set the address of the portal. The function `value` reads one text field from a JSON response; if you have `jq`, use that instead.',
      command: `portal=${publicUrl}
value() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }`,
      calls: [],
    },
    {
      title: 'Sign in',
      text: 'Open the sign-in form and submit it. The last redirect contains a one-time token, which works only together with the cookies of this sign-in. Exchange it for a session ID. The account belongs to the demo workspace: replace it with your own. A program omits this step: it sends the access token of a client application as `Authorization: Bearer` instead of the session ID.',
      command: `form=$(curl -sSL -c cookies -b cookies -o /dev/null \\
  -w '%{url_effective}' "$portal/sso/start")
token=$(curl -sSL -c cookies -b cookies -o /dev/null \\
  -w '%{url_effective}' \\
  -d email=anna@demo.test -d password=demo "$form" |
  sed 's/.*__dbSSO_token__=\\([^&]*\\).*/\\1/')
session=$(curl -fsS -b cookies -X POST \\
  "$portal/api/auth/validate-sso-token/$token" | value sessionID)`,
      calls: ['session.validateSsoToken'],
    },
  ];
}

/** The workflow of a KESSv2 file, from the read file to the encoded file. */
export const fileSteps: readonly WorkflowStep[] = [
  {
    title: 'Upload a read file',
    text: 'The response has status 202 and contains the record of an operation. Decoding runs in the background.',
    command: `operation=$(curl -fsS ${session} \\
  -F userFlow=E -F readFile=@read-1001.tfc \\
  "$portal/api/kessv2/upload-read-file" | value guid)`,
    calls: ['kessv2.uploadReadFile'],
  },
  {
    title: 'Poll the operation',
    text: 'Poll every `suggestedPollingInterval` seconds until `isCompleted` is true. If `isSuccessful` is also true, `result` describes the decoded file; otherwise `error` contains the cause.',
    command: `${poll}
slot=$(value kessv2SlotGUID < operation.json)`,
    calls: ['operations.getOperation'],
  },
  {
    title: 'Download the decoded file',
    text: 'The address contains a ticket that is valid for one hour, so the download needs no session header.',
    command: `curl -fsSOJ "$portal$(value decodedFileURL < operation.json)"`,
    calls: ['slots.downloadFile'],
  },
  {
    title: 'Upload the modified file',
    text: 'The portal compares it with the read file immediately. The response contains its `fileGUID` and the changes.',
    command: `modified=$(curl -fsS ${session} -X PUT \\
  -F modifiedFile=@read-1001-modified.bin \\
  "$portal/api/kessv2/upload-modified-file/$slot" | value fileGUID)`,
    calls: ['kessv2.uploadModifiedFile'],
  },
  {
    title: 'Encode',
    text: 'Encoding is an operation as well. To email the result to the slave’s workshop, add `notificationInfo` with `email`, `message` and `isPrivate`.',
    command: `operation=$(curl -fsS ${session} \\
  -H 'Content-Type: application/json' \\
  -d '{"kessv2FileSlotGUID": "'$slot'", "modifiedFileGUID": "'$modified'"}' \\
  "$portal/api/kessv2/encode-file" | value guid)
${poll}`,
    calls: ['kessv2.encodeFile', 'operations.getOperation'],
  },
  {
    title: 'Download the encoded file',
    text: 'Only the slave that wrote the read file accepts it.',
    command: `curl -fsSOJ "$portal$(value encodedFileURL < operation.json)"`,
    calls: ['slots.downloadFile'],
  },
  {
    title: 'Sign out',
    text: 'Ends the session.',
    command: `curl -fsS ${session} -X POST \\
  "$portal/api/auth/session/$session/logout"`,
    calls: ['session.logout'],
  },
];
