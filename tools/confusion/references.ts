/** The images that the confusion table is made of: those of our protocols, generated ME7 images, and real firmware. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateImage } from '@recodery/codec/sample-images/images';
import { protocols } from '@recodery/codec/protocols/protocols';
import { generateMe7Image } from '../../codec/samples/me7-images.ts';

/** An image, and one of another software of the same type. */
export interface ReferenceImage {
  readonly name: string;
  readonly group: 'sample' | 'me7' | 'firmware';
  readonly image: Uint8Array;
  readonly other: Uint8Array | null;
  /** Where its calibration is. */
  readonly calibration: { readonly at: number; readonly length: number };
}

/** Open-source firmware next to the checkout, if it is there. */
const firmwareFolder = join(import.meta.dirname, '../../../../shared/firmware');

function listFirmware(): readonly ReferenceImage[] {
  if (!existsSync(firmwareFolder)) return [];
  return readdirSync(firmwareFolder)
    .filter((name) => name.endsWith('.bin'))
    .map((name) => {
      const image = new Uint8Array(readFileSync(join(firmwareFolder, name)));
      const length = Math.floor(image.length / 16);
      return {
        name,
        group: 'firmware',
        image,
        other: null,
        calibration: { at: 8 * length, length },
      };
    });
}

function listSamples(): readonly ReferenceImage[] {
  return protocols.flatMap((protocol) =>
    protocol.components
      .filter(({ format }) => format === undefined)
      .map(({ name, areas = [] }): ReferenceImage => {
        const image = generateImage(protocol, name, 1);
        const { length } = image;
        const area = areas.find(({ kind }) => kind === 'calibration');
        return {
          name: `${protocol.name} ${name}`,
          group: 'sample',
          image,
          other: generateImage(protocol, name, 2),
          calibration: area ?? { at: length >> 1, length: length >> 3 },
        };
      }),
  );
}

function listMe7(count: number): readonly ReferenceImage[] {
  return Array.from({ length: count }, (_, index) => {
    const size = index % 3 === 2 ? 1_048_576 : 524_288;
    const options = { program: index, size, used: 0.5 + (index % 5) / 10 } as const;
    return {
      name: `ME7 ${index + 1}, ${size / 1024} KiB`,
      group: 'me7',
      image: generateMe7Image({ ...options, seed: index }).image,
      other: generateMe7Image({ ...options, program: index + 100, seed: index }).image,
      calibration: { at: 0x10000, length: 0x10000 },
    };
  });
}

/** All reference images, or a few of them. */
export function listReferences(isWhole: boolean): readonly ReferenceImage[] {
  if (isWhole) return [...listSamples(), ...listMe7(12), ...listFirmware()];
  return [
    ...listSamples()
      .filter(({ image }) => image.length === 0x80000)
      .slice(0, 2),
    ...listMe7(1),
  ];
}
