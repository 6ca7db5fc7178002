/** Bosch EDC15: diesel engines, 1997 to 2006. */

import {
  boschHardware,
  boschSoftware,
  type EcuFamily,
  fieldOf,
  kibibytes,
  onlyMatch,
  type Scanned,
  textAt,
} from '../ecu-family.ts';
import type { TextMatch } from '../image-text.ts';

const bank = kibibytes(512);
const marker = { offset: 0x8000, text: 'TSW V' } as const;
const hardware = new RegExp(boschHardware.diesel, 'g');
const software = new RegExp(boschSoftware, 'g');
/** The family fills its free memory with it. */
const filler = 0xc3;
const leastFilled = 0.05;
/** Sampled: counting every byte takes longer than all other searches. */
const sampleStep = 61;
/** Bytes on each side of a number that are compared with the filler, and how many of all must be it. */
const neighbours = { each: 6, least: 6 } as const;

function isFilled({ image }: Scanned): boolean {
  let filled = 0;
  let samples = 0;
  for (let at = 0; at < image.length; at += sampleStep) {
    if (image[at] === filler) filled += 1;
    samples += 1;
  }
  return filled > samples * leastFilled;
}

/** Whether a number is among erased or filled bytes. */
function isAlone({ image }: Scanned, { offset, text }: TextMatch): boolean {
  const end = offset + text.length;
  const around = [
    ...image.subarray(Math.max(0, offset - neighbours.each), offset),
    ...image.subarray(end, end + neighbours.each),
  ];
  return around.filter((byte) => byte === filler || byte === 0xff).length >= neighbours.least;
}

export const boschEdc15: EcuFamily = {
  id: 'bosch-edc15',
  isValidated: false,
  find(scanned) {
    const { length } = scanned.image;
    if (length !== bank && length !== 2 * bank) return null;
    const banks = length === bank ? [0] : [0, bank];
    const isMarked = (start: number) =>
      textAt(scanned, start + marker.offset, marker.text.length) === marker.text;
    if (!banks.some(isMarked) || !isFilled(scanned)) return null;
    const area = [length - kibibytes(256), length] as const;
    const only = (pattern: RegExp) =>
      onlyMatch(scanned.text.find(pattern, area).filter((match) => isAlone(scanned, match)));
    return {
      name: 'Bosch EDC15',
      fields: [fieldOf('hardware', only(hardware)), fieldOf('software', only(software))],
    };
  },
};
