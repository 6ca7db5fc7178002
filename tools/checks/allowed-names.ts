/** The exported names that several files may define, and why. */
import { families } from '@recodery/contract/families/registry';

/**
 * The exported names that several files define, because each means the same thing in all of them. Do not add a name that
 * has several meanings: rename one.
 */
export const allowedNames: ReadonlySet<string> = new Set([
  // A family is a module: each registry contains it under its name, and its files define the same names.
  ...families,
  'DecodeResult',
  'calls',
  'decodeResult',
  'information',
  'page',

  // A component, and the one that loads it when it is shown first. Each is used like the other.
  'BackToOldCode',
  'ChangeMap',
  'LossDialog',
  'MisfitPanel',
  'SendFile',
  'UnderNewCode',

  // A route of the contract, and the server's function that does what it describes.
  'addClient',
  'addTrayFiles',
  'countJobs',
  'deleteJob',
  'hasAcceptedTerms',
  'listClients',
  'nameTray',
  'removeTrayFile',
  'revokeClient',
  'sendJobFile',

  // A result of the codec, which may not import the contract's features, and the same value in a response.
  'AreaKind',
  'Changes',
  'UncheckedReason',
  'WrongSize',

  // The values of a record by the names of its fields, in the server that stores them and in the form that changes them.
  'Values',
]);
