/** A short text for the state of each part of an encode, and the slave that the encoded file is for. */
import { definitionOf } from '@recodery/contract/families/registry';
import type { Changes } from '@recodery/contract/features/recoding/recoding';
import { numberText, writtenDateText } from '../../../i18n/formats.ts';
import type { Language } from '../../../i18n/languages.ts';
import { currentLanguage, hasText, type TextKey, type TextOf } from '../../../i18n/texts.ts';
import type { BadgeState } from '../../../ui/display/badge.tsx';
import type { DecodedRead, Part } from '../decoded-read.ts';
import type { FamilyPage } from '../families/family-page.ts';
import type { PartState } from '../inputs.ts';
import { lookOf } from '../families/part-look.ts';

/** The text for the state of a part. A part of an image is required; a component comes from the backup. */
export function describePartState(
  part: Part,
  state: PartState,
  isFrozen: boolean,
): { readonly badge: BadgeState; readonly word: TextKey } {
  switch (state.at) {
    case 'removed':
      return { badge: 'removed', word: 'recoding.state.removed' };
    case 'complete':
      if (part.name === 'original') return { badge: 'good', word: 'recoding.state.uploaded' };
      return isModified(state)
        ? { badge: 'modified', word: 'recoding.state.modified' }
        : { badge: 'neutral', word: 'recoding.state.unchanged' };
    case 'ready':
    case 'uploading':
      if (!part.isNeeded) return { badge: 'neutral', word: 'recoding.state.fromBackup' };
      return {
        badge: 'neutral',
        word: isFrozen ? 'recoding.state.asDecoded' : 'recoding.state.needed',
      };
  }
}

/**
 * Whether the user uploaded a file that differs from the decoded one; if there is none to compare with, it counts as
 * modified.
 */
export function isModified(state: PartState): boolean {
  return state.at === 'complete' && state.changes?.bytes !== 0;
}

/** A part in the preview of the encoded file: the uploaded file for an image, else the state of the part. */
export function partSummary(t: TextOf, part: Part, state: PartState, isFrozen: boolean): string {
  const isFileOfImage = part.isNeeded && state.at === 'complete';
  const value = isFileOfImage ? state.file.name : t(describePartState(part, state, isFrozen).word);
  return t('ui.labelled', { label: t(lookOf(part.name).label), value });
}

/** The information fields of a page, each with its value in the read as the page displays it. */
export function informationFields(page: FamilyPage, read: DecodedRead) {
  return page.information.map((field) => {
    const value = read.information.find(({ label }) => label === field.name)?.value ?? null;
    return {
      ...field,
      value: value && field.as === 'date' ? writtenDateText(value, currentLanguage()) : value,
    };
  });
}

/** The label of an information field: in some languages, a family has its own. */
export function labelOf(t: TextOf, { family }: FamilyPage, label: TextKey): string {
  const own = `${label}_${family}`;
  return t(hasText(own) ? own : label);
}

/** The serial number of the slave that made the read; null if the read does not contain it. */
export function slaveOf(page: FamilyPage, read: DecodedRead): string | null {
  return informationFields(page, read).find(({ as }) => as === 'slave')?.value ?? null;
}

/** The read file, the family, and everything that the read contains about vehicle and slave, as labels and values. */
export function readFacts(t: TextOf, page: FamilyPage, read: DecodedRead) {
  return [
    { label: t('recoding.readFile'), value: read.readFile.name },
    { label: t('recoding.deviceFamily'), value: definitionOf(page.family).name },
    ...informationFields(page, read).map(({ label, value }) => ({
      label: labelOf(t, page, label),
      value,
    })),
  ];
}

/** How much of a modified file differs from the decoded one: `424 bytes changed in 26 regions`. */
export function changesText(t: TextOf, { bytes, regions }: Changes, language: Language): string {
  return t('recoding.changed', {
    bytes: t('recoding.bytes', { count: bytes, number: numberText(bytes, language) }),
    regions: t('recoding.regions', { count: regions, number: numberText(regions, language) }),
  });
}
