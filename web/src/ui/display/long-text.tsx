/**
 * Text that contains file names and serial numbers: lines break after a space or an underscore, not within a serial
 * number.
 */
import { Fragment } from 'react';

/** Words and parts of names, each with its separator; a hyphen is not a separator. */
const pieces = /[^\s_]*(?:\s+|_+)|[^\s_]+/g;

/** Only parts with a hyphen must be kept together; a part longer than its line still breaks. */
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
