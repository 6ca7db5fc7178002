/** The values of the settings page, when there is something to save, and what is then sent. */
import { describeNameFormats } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import {
  drafted,
  exampleName,
  hasTextFault,
  isChanged,
  type PreferenceDraft,
  preferencesPayload,
  valuesOf,
} from '../../src/features/preferences/preference-values.ts';

const saved = valuesOf({
  ...describeNameFormats(() => null),
  decodedFileNameFormat: null,
  timeZone: null,
  encodedKESSv2FileNameFormat: '%r_stage1',
  autoSendDefaultAction: 'EncodeAndSend',
  autoSendNotificationIsPrivateByDefault: null,
  defaultAutoSendAction: 'EncodeAndSend',
  isAutoSendNotificationPrivateByDefault: null,
});

describe('a draft', () => {
  // promise 5.settings.save-after-change
  test.each<[PreferenceDraft, boolean]>([
    [{}, false],
    [{ encodedKESSv2FileNameFormat: '%r_stage1' }, false],
    [{ encodedKESSv2FileNameFormat: ' %r_stage1 ' }, false],
    [{ encodedKTAGFileNameFormat: '' }, false],
    [{ encodedKTAGFileNameFormat: '   ' }, false],
    [{ action: 'EncodeAndSend' }, false],
    [{ isPrivate: null }, false],
    [{ encodedKESSv2FileNameFormat: '' }, true],
    [{ encodedKTAGFileNameFormat: '%d' }, true],
    [{ action: null }, true],
    [{ action: 'Encode' }, true],
    // the default, selected explicitly, is a choice
    [{ isPrivate: true }, true],
  ])('%j compared with the saved values is a change: %s', (draft, expected) => {
    expect(isChanged(saved, draft)).toBe(expected);
  });

  test('overrides the saved values, and keeps the rest', () => {
    expect(drafted(saved, { encodedKTAGFileNameFormat: '%r', action: null })).toMatchObject({
      encodedKESSv2FileNameFormat: '%r_stage1',
      encodedKTAGFileNameFormat: '%r',
      action: null,
      isPrivate: null,
    });
  });
});

describe('the request', () => {
  test('changes only the fields that were edited in the tab; for the same field, the last save wins', () => {
    const asSaved = (payload: ReturnType<typeof preferencesPayload>) =>
      valuesOf({
        ...payload,
        defaultAutoSendAction: payload.autoSendDefaultAction,
        isAutoSendNotificationPrivateByDefault: payload.autoSendNotificationIsPrivateByDefault,
      });
    const one: PreferenceDraft = { encodedKESSv2FileNameFormat: '%d one', action: null };
    const other: PreferenceDraft = {
      encodedKESSv2FileNameFormat: '%d other',
      encodedKTAGFileNameFormat: '%r other',
    };
    const first = preferencesPayload(saved, one);
    expect(preferencesPayload(asSaved(first), other)).toEqual({
      ...first,
      encodedKESSv2FileNameFormat: '%d other',
      encodedKTAGFileNameFormat: '%r other',
    });
  });

  // promise 5.settings.empty-is-default
  test('contains null for an empty text', () => {
    expect(
      preferencesPayload(saved, { encodedKESSv2FileNameFormat: '  ', isPrivate: false }),
    ).toMatchObject({
      encodedKESSv2FileNameFormat: null,
      encodedKTAGFileNameFormat: null,
      autoSendDefaultAction: 'EncodeAndSend',
      autoSendNotificationIsPrivateByDefault: false,
    });
  });
});

describe('a name format', () => {
  test.each([
    ['', false],
    ['%r (%d) 100% ', false],
    ['%x', true],
    ['a/%d', true],
    ['con', true],
  ])('%j cannot be saved: %s', (format, expected) => {
    const values = { ...saved, encodedKESSv2FileNameFormat: '', encodedKTAGFileNameFormat: format };
    expect(hasTextFault(values)).toBe(expected);
  });

  test.each([
    ['', false],
    [' Europe/Rome ', false],
    ['Mars/Olympus', true],
  ])('the time zone %j cannot be saved: %s', (timeZone, expected) => {
    expect(hasTextFault({ ...saved, encodedKESSv2FileNameFormat: '', timeZone })).toBe(expected);
  });

  test('has an example with the local time, and another for decoded files', () => {
    expect(exampleName('kess3', '%c_%v_%t', 'Asia/Tokyo')).toBe(
      'Rossi_ZAR93900001234567_20261121-233205.moc',
    );
    expect(exampleName(null, '%s_%p')).toBe('KS3-000042_3001.bin');
    expect(exampleName('kess3', '%t', 'Mars/Olympus')).toMatch(/^\d{8}-\d{6}\.moc$/);
  });

  test('has an example; an empty format shows the default', () => {
    expect(exampleName('kessv2', '%r_mod')).toMatch(/^read_\d+_mod\.moc$/);
    expect(exampleName('kessv2', '')).toMatch(/^KESSv2_KV2-000007_1001_\d{8}-\d{6}\.moc$/);
    expect(exampleName('ktag', '%d')).toMatch(/^K-TAG_.*\.unq$/);
    expect(exampleName('kessv2', ' %r   stage 1')).toBe('read_0416 stage 1.moc');
  });
});
