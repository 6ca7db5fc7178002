/** The start, or a command, cannot go on and the operator can mend it: the message is the one line that he is shown. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotStart';
  }
}
