/** What a protocol file says: who uses the protocol, its components, and what stands where in each image. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import type { ChecksumScheme, NumberType, Range } from '../checksum/scheme.ts';

/** What an identification block can tell; the families name these in their own words. */
export type IdentFieldName =
  | 'hardware'
  | 'hardwareVersion'
  | 'software'
  | 'softwareVersion'
  | 'softwareUpgrade'
  | 'softwareDate'
  | 'spare'
  | 'system'
  | 'engine'
  | 'vin'
  | 'serialNumber';

/** Where in the image a field of the identification stands; `at` and `length` in bytes. */
export interface IdentField extends Range {
  readonly name: IdentFieldName;
}

/** An ECU that a protocol serves, told by its hardware number. */
export interface EcuVariant {
  readonly name: string;
  /** The whole hardware number. */
  readonly hardware: string;
}

/**
 * Where an image says what it is. Texts are ASCII, filled up with blanks, 00 or FF.
 * An image without the marker, or with a hardware number of no listed ECU, is of no ECU of the protocol.
 */
export interface IdentLayout {
  readonly marker: { readonly at: number; readonly text: string };
  readonly fields: readonly IdentField[];
  readonly ecus: readonly EcuVariant[];
}

/** What stands in a part of an image. What no area covers is erased (FF). */
export type AreaKind = 'vectors' | 'code' | 'constants' | 'calibration' | 'counters';

/** A part of the image and what the generator paints there. */
export interface Area extends Range {
  readonly name: string;
  readonly kind: AreaKind;
  /** The same in every image of the protocol (a boot loader), whatever the seed. */
  readonly isFixed?: true;
}

/** Numbers that every image of the protocol holds at an offset: range tables, flags, magic words. */
export interface FixedNumbers {
  readonly at: number;
  readonly type: NumberType;
  /** Hexadecimal. */
  readonly values: readonly string[];
}

/** A CVN by `REF-CVN`: CRC-32/ISO-HDLC over the calibration, with four compensation bytes inside it. */
export interface CvnLayout {
  readonly calibration: Range;
  /** Offset of the four compensation bytes. */
  readonly compensationAt: number;
}

/** The bytes of a component that may be declared: one of a list, or anything between two sizes. */
export type ComponentSizes = readonly number[] | { readonly min: number; readonly max: number };

/** What a component is beyond plain bytes. */
export type ComponentFormat = { readonly name: 'ref-map'; readonly appliesTo: ComponentName };

/** One component of a protocol: what it may be, what stands where in it, and what must hold. */
export interface ComponentSpec {
  readonly name: ComponentName;
  readonly sizes: ComponentSizes;
  readonly required: boolean;
  readonly ident?: IdentLayout;
  readonly checksums?: ChecksumScheme;
  readonly cvn?: CvnLayout;
  readonly areas: readonly Area[];
  readonly fixedNumbers?: readonly FixedNumbers[];
  /** Bytes that a tune has no business in (boot loader, ident); nothing of ours ever writes there. */
  readonly protectedRanges: readonly Range[];
  /** Two copies of the same page stand one after the other, as in an EEPROM: offset and bytes of the first. */
  readonly redundantPage?: Range;
  readonly format?: ComponentFormat;
}

/** A family that uses a protocol, and how its slaves read it. */
export interface FamilyModes {
  readonly family: Family;
  readonly modes: readonly Mode[];
}

/** A protocol: what a slave calls an ECU type. Data alone; how to add one stands in `docs/developers/`. */
export interface Protocol {
  readonly id: number;
  /** Begins with `REF-`: every protocol here is invented. */
  readonly name: string;
  /** The family of ECUs that the protocol serves; absent where it serves ECUs of any family. */
  readonly ecuFamily?: string;
  readonly families: readonly FamilyModes[];
  readonly components: readonly ComponentSpec[];
  /** A read may hold the identification alone; the image then comes by Virtual Reading or from the user. */
  readonly isVirtualReadingPossible: boolean;
  readonly isCVNCorrectionPossible: boolean;
}
