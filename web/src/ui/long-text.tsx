/** Text with file names and serial numbers in it: a line breaks after a space or an underscore, not within a serial number. */
import { Fragment } from 'react';

/** Words and the pieces of names, each with the signs that end it; a hyphen ends nothing. */
const pieces = /[^\s_]*(?:\s+|_+)|[^\s_]+/g;

/** Only what holds a hyphen needs to be held together; what is longer than its line breaks within all the same. */
export function LongText({ children }: { readonly children: string }) {
  return (
    <span className="wrap-anywhere">
      {(children.match(pieces) ?? []).map((piece, at) => {
        const word = piece.trimEnd();
        return (
          <Fragment key={at}>
            {/\w-\w/.test(word) ? <span className="inline-block max-w-full">{word}</span> : word}
            {word === piece ? <wbr /> : piece.slice(word.length)}
          </Fragment>
        );
      })}
    </span>
  );
}
