/**
 * The start or a command cannot continue, and the operator can fix the cause: the message is the one line shown to
 * them.
 */
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart';
}
