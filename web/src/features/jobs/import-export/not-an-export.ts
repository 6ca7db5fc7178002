/** The file is not an export of jobs. Separate from the code that imports one, which is loaded on demand. */

export class NotAnExport extends Error {
  constructor(cause?: unknown) {
    super('the file is not an export of jobs', { cause });
    this.name = 'NotAnExport';
  }
}
