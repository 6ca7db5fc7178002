/** Texts that store images, in every format, for a read that does not contain the image. The input is the text. */
import { diagnose } from '@recodery/codec/diagnosis/diagnose';
import { textLimits } from '@recodery/codec/diagnosis/text/records';
import {
  hexRecord,
  sRecordLine,
  writeBase64,
  writeCArray,
  writeHexdump,
  writeIntelHex,
  writePlainHex,
  writeSRecord,
  writeTiTxt,
  writeXxd,
} from '../../../codec/samples/write-texts.ts';
import { type FuzzTarget, must, textBytes } from '../target.ts';

function read(upload: Uint8Array): Uint8Array | null {
  const found = diagnose({
    upload,
    image: null,
    others: [],
    accepts: () => true,
    identify: () => null,
  });
  const bytes = found?.repair?.bytes ?? null;
  must(bytes === null || bytes.length <= textLimits.bytes, 'more bytes than a text may store');
  must(bytes === null || found?.details.fault === undefined, 'a damaged text was converted');
  return bytes;
}

/** See the file's first comment. */
function run(input: Uint8Array): void {
  const bytes = read(input);
  if (bytes === null || bytes.length === 0) return;
  // what was read once is read again, whatever the first text looked like
  const again = read(writeIntelHex(bytes, 0x10_0000));
  must(
    again !== null && Buffer.compare(bytes, again) === 0,
    'the bytes changed when they were written again',
  );
}

const bytes = Uint8Array.from({ length: 96 }, (_, index) =>
  index < 64 ? 0x41 + (index % 16) : index,
);

export const target: FuzzTarget = {
  longest: 4096,
  seeds: () => [
    writeIntelHex(bytes, 0x1_fff0),
    writeSRecord(bytes, 0x8000),
    writeTiTxt(bytes, 0xf000),
    writeXxd(bytes),
    writeHexdump(bytes),
    writePlainHex(bytes),
    writeCArray(bytes),
    writeBase64(bytes),
    ...textBytes([
      '<!doctype html>',
      '<?xml version="1.0"?>',
      '{"a": 1}',
      '%PDF-1.7',
      '404: Not Found',
    ]),
  ],
  dictionary: textBytes([
    hexRecord(2, 0, Uint8Array.of(0x10, 0)),
    hexRecord(4, 0, Uint8Array.of(0xff, 0xff)),
    hexRecord(1, 0, new Uint8Array()),
    hexRecord(0, 0xffff, Uint8Array.of(1, 2)),
    sRecordLine(1, 2, 0, Uint8Array.of(1)),
    sRecordLine(5, 2, 1, new Uint8Array()),
    ...[
      '\n',
      '\r',
      '\r\n',
      '*\n',
      '@FFFFFFFF\n',
      'q\n',
      '0x',
      ', ',
      '};',
      '/*',
      '*/',
      '//',
      '==',
      '|',
    ],
    ...['ffffffff', '\u001a', '\ufeff'],
  ]),
  run,
};
