/**
 * The contents of a protocol file: the families that use the protocol, its components, and the layout of each image.
 */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import type { ChecksumScheme, CvnLayout, NumberType, Range } from '../checksum/scheme.ts';

/** The fields of an identification block; the families have their own names for them. */
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

/** The position of an identification field in the image; `at` and `length` in bytes. */
export interface IdentField extends Range {
  readonly name: IdentFieldName;
}

/** An ECU that a protocol supports, identified by its hardware number. */
export interface EcuVariant {
  readonly name: string;
  /** The whole hardware number. */
  readonly hardware: string;
}

/**
 * The position of an image's identification. Texts are ASCII, padded with blanks, 00 or FF. An image without the
 * marker, or with the hardware number of an unlisted ECU, does not belong to an ECU of this protocol.
 */
export interface IdentLayout {
  readonly marker: { readonly at: number; readonly text: string };
  readonly fields: readonly IdentField[];
  readonly ecus: readonly EcuVariant[];
}

/** The contents of a part of an image. Bytes outside all areas are erased (FF). */
export type AreaKind = 'vectors' | 'code' | 'constants' | 'calibration' | 'counters';

/** A part of the image and what the generator writes there. */
export interface Area extends Range {
  readonly name: string;
  readonly kind: AreaKind;
  /** The same in every image of the protocol (a boot loader), regardless of the seed. */
  readonly isFixed?: true;
}

/** Numbers at fixed offsets in every image of the protocol: range tables, flags, magic words. */
export interface FixedNumbers {
  readonly at: number;
  readonly type: NumberType;
  /** Hexadecimal. */
  readonly values: readonly string[];
}

/** The allowed sizes of a component in bytes: one of a list, or any size between two limits. */
export type ComponentSizes = readonly number[] | { readonly min: number; readonly max: number };

/** The format of a component, beyond plain bytes. */
export type ComponentFormat = { readonly name: 'ref-map'; readonly appliesTo: ComponentName };

/** One component of a protocol: its sizes, its layout, and its rules. */
export interface ComponentSpec {
  readonly name: ComponentName;
  readonly sizes: ComponentSizes;
  /** Whether a read must contain it. Default: true. */
  readonly required?: false;
  readonly ident?: IdentLayout;
  readonly checksums?: ChecksumScheme;
  readonly cvn?: CvnLayout;
  readonly areas?: readonly Area[];
  readonly fixedNumbers?: readonly FixedNumbers[];
  /** Bytes that a tune must not change (boot loader, ident); this product never writes there. */
  readonly protectedRanges?: readonly Range[];
  /** Two consecutive copies of the same page, as in an EEPROM: offset and bytes of the first. */
  readonly redundantPage?: Range;
  readonly format?: ComponentFormat;
}

/** A family that uses a protocol, and how its slaves read it. */
export interface FamilyModes {
  readonly family: Family;
  readonly modes: readonly Mode[];
}

/** A protocol: a slave's name for an ECU type. Contains only data; `docs/developers/` describes how to add one. */
export interface Protocol {
  readonly id: number;
  /** Begins with `REF-`: every protocol here is invented. */
  readonly name: string;
  /** The family of ECUs that the protocol supports; absent if it supports ECUs of any family. */
  readonly ecuFamily?: string;
  readonly families: readonly FamilyModes[];
  readonly components: readonly ComponentSpec[];
  /** A read may contain only the identification; the image then comes from Virtual Reading or from the user. */
  readonly isVirtualReadingPossible?: true;
}
