/** The sample reads of the families that only their maker's service opens; the demo's doubles have sealed them. */
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { definitionOf } from '@recodery/contract/families/registry';
import { demoSlaveOf } from './demo-doubles.ts';
import type { Sample } from './demo-samples.ts';
import type { Make } from './doubles/make.ts';
import { allMakes } from './doubles/makes.ts';
import { zipOf } from './doubles/zip-of.ts';

const imageBytes = 256 * 1024;
const eepromBytes = 4096;

/** A read with one image, its modified file and, for makes with memories, a read with two of them. */
function* makeSamplesOf(make: Make, seed: number): Generator<Sample> {
  const protocol = findProtocol(9000);
  if (protocol === null) throw new Error('the demo needs protocol 9000');
  const { name, readFileExtension = '', modes } = definitionOf(make.family);
  const folder = make.family;
  const slave = demoSlaveOf(make);
  const image = generateImage(protocol, 'obd', seed, imageBytes);
  const note = `Opened by the demo's double of ${name}'s service, not by the maker.`;
  yield {
    path: `${folder}/read${readFileExtension}`,
    words: `Decodes into one image. ${note}`,
    bytes: make.seal(slave, image),
  };
  yield {
    path: `${folder}/read-modified.bin`,
    words: 'A modified file for the read file of the same name.',
    bytes: tuneImage(protocol, 'obd', image, seed),
  };
  if (modes.bootbench === undefined) return;
  const eeprom = generateImage(protocol, 'eeprom', seed, eepromBytes);
  const memories = [
    { name: 'int_flash', content: Buffer.from(image) },
    { name: 'ext_eeprom', content: Buffer.from(eeprom) },
  ];
  yield {
    path: `${folder}/read-memories${readFileExtension}`,
    words: `Decodes into an internal flash and an external EEPROM. ${note}`,
    bytes: make.seal(slave, zipOf(memories)),
  };
}

/** The samples of all makes. */
export function* makeDoubleSamples(): Generator<Sample> {
  for (const [index, make] of allMakes.entries()) yield* makeSamplesOf(make, 30 + index);
}
