/** The texts quoted in the specification are unchanged, and so are its keys in the storage and among the texts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { keepSessionId, readSessionId } from '../../src/api/session-id.ts';
import { storeLanguage } from '../../src/i18n/languages.ts';
import { addTexts } from '../../src/i18n/catalog.ts';
import { currentLanguage, hasText, loadTexts, startTexts } from '../../src/i18n/texts.ts';
import { labelOf } from '../../src/features/recoding/flow/part-state-text.ts';
import { workflowTitle } from '../../src/features/recoding/families/workflow-names.ts';
import { familyPages } from '../recoding/families/family-pages.ts';
import { beBrowser } from '../api/browser.ts';
import { t } from './t.ts';

const source = join(import.meta.dirname, '../../src');
const stores: string[] = [];

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  const { setItem } = localStorage;
  localStorage.setItem = (key, value) => {
    stores.push(key);
    setItem(key, value);
  };
  storeLanguage('it-IT');
  await startTexts(null);
  await loadTexts('device');
  await loadTexts('encode');
  await loadTexts('notifications');
  await loadTexts('utility');
  await loadTexts('notices');
});

/** The text of a key in the current language, even one that the types do not contain. */
const textOf = (key: string) => String(Reflect.apply(t, null, [key]));

describe('in Italian', () => {
  // promise 1.languages.italian, 2.layout.loader-words, 2.devices.words
  // promise 2.decode.prompt, 2.decode.please-wait, 2.decode.result-title, 2.decode.reset
  // promise 2.decode.id-file, 2.decode.obd-file, 2.decode.bench-popup-words, 2.encode.waits
  // promise 2.encode.status, 2.encode.restore, 2.encode.removed, 2.encode.start-over
  // promise 2.encode.encode-words, 2.encode.compact-words, 2.encode.reencode
  // promise 2.encode.encoding-words, 2.encode.after, 2.notifications.details-link
  // promise 4.notification.no-action, 8.display.heading, 8.display.retry
  test.each([
    ['ui.loading', 'Caricamento in corso'],
    ['devices.choose', 'Scegli il dispositivo master'],
    ['recoding.drop', 'Carica file letto'],
    ['recoding.pleaseWait', 'Attendere prego'],
    ['recoding.decodedTitle', 'File caricato'],
    ['recoding.decodeNew', 'Decodifica nuovo file'],
    ['recoding.downloadId', 'Scarica ID'],
    ['recoding.downloadDecoded', 'Scarica file decodificato'],
    ['recoding.utility.downloadDecoded', 'Scarica file scompattato'],
    ['recoding.components.open', 'Scarica componenti Boot/Bench'],
    ['recoding.components.title', 'Scarica componenti Boot/Bench'],
    ['recoding.components.all', 'Scarica Tutto'],
    ['recoding.waitingForFile', 'In attesa del file'],
    ['recoding.state.fromBackup', 'Da backup'],
    ['recoding.state.modified', 'Modificato'],
    ['recoding.state.removed', 'Rimosso'],
    ['recoding.restore', 'Ripristina backup'],
    ['recoding.startOver', 'Ricomincia'],
    ['recoding.encode', 'Codifica'],
    ['recoding.encodeAndSend', 'Codifica e invia'],
    ['recoding.utility.encode', 'Compatta'],
    ['recoding.utility.encodeAndSend', 'Compatta e invia'],
    ['recoding.reencode', 'Ricodifica file decodificato'],
    ['recoding.encoding', 'Codifica in corso'],
    ['recoding.another', 'Codifica altro file'],
    ['recoding.downloadEncoded', 'Scarica file codificato'],
    ['notifications.details', 'Vedi più dettagli'],
    ['notifications.noAction', 'Nessuna azione disponibile'],
    ['ui.errorHeading', 'Si è verificato un errore'],
    ['ui.tryAgain', 'Riprova'],
  ])('%s reads "%s"', (key, quoted) => {
    expect(textOf(key)).toBe(quoted);
  });

  // promise 2.routes.kess3-title
  test('the page of KESS3 is titled "Gestione slave KESS3"', () => {
    expect(workflowTitle(t, 'kess3')).toBe('Gestione slave KESS3');
  });
});

describe('in English', () => {
  const english: Record<string, string> = {
    ...JSON.parse(readFileSync(join(source, 'i18n/locales/en-US/errors.json'), 'utf8')),
    ...JSON.parse(readFileSync(join(source, 'i18n/locales/en-US/sign-in.json'), 'utf8')),
  };
  // promise 2.routes.loggedin-words, 6.roles.not-authorised-title, 6.roles.no-rights-title
  test.each([
    ['USER_NOT_AUTHORIZED_TITLE', 'USER NOT AUTHORIZED'],
    ['USER_NO_RIGHTS_TITLE', 'UNAUTHORIZED ROLE'],
    ['signingIn', 'Logging in...'],
  ])('%s reads "%s"', (key, quoted) => {
    expect(english[key]).toBe(quoted);
  });
});

describe('the catalog', () => {
  // promise 2.layout.ad-block-words, 2.layout.forbidden-button, 8.catalogue.api-error-message
  // promise 8.catalogue.erroroccurredcontactsupport, 8.catalogue.api-error-throttling
  // promise 8.catalogue.service-unavailable, 8.catalogue.maestro-service-unavailable
  // promise 8.catalogue.generic-error, 8.catalogue.recod-error-generic-error
  // promise 8.catalogue.user-not-authorized, 8.catalogue.user-not-authorized-kess3
  // promise 8.catalogue.user-no-rights, 8.catalogue.featurenotavailable
  // promise 8.catalogue.adblocktextmessage, 8.catalogue.recod-error-1073741819
  test.each([
    'AdBlockTextMessage',
    'RefreshPage',
    'API_ERROR_MESSAGE',
    'ErrorOccurredContactSupport',
    'API_ERROR_THROTTLING',
    'SERVICE_UNAVAILABLE',
    'MAESTRO_SERVICE_UNAVAILABLE',
    'GENERIC_ERROR',
    'RECOD_ERROR_GENERIC_ERROR',
    'USER_NOT_AUTHORIZED',
    'USER_NOT_AUTHORIZED_KESS3',
    'USER_NO_RIGHTS',
    'FeatureNotAvailable',
    'RECOD_ERROR_-1073741819',
  ])('has a text for %s', (key) => {
    expect(hasText(key)).toBe(true);
  });

  // promise 1.languages.missing-key
  test('shows a key without a text in any language between double hash marks', () => {
    expect(textOf('nobody.has.written.this')).toBe('##nobody.has.written.this##');
  });

  // promise 1.languages.fallback
  test('falls back to English if only English has the text', async () => {
    expect(currentLanguage()).toBe('it-IT');
    addTexts('en-US', { 'only.in.english': 'Only in English' });
    expect(textOf('only.in.english')).toBe('Only in English');
  });
});

describe('the pages', () => {
  // promise 2.decode.utility-file
  test('of the utility have their own texts for unpacking and compacting', () => {
    const wordsOf = (id: 'kess3' | 'kess3-utility') => {
      const { downloadDecoded, encode, encodeAndSend } = familyPages[id].words;
      return [downloadDecoded, encode, encodeAndSend].map(textOf);
    };
    expect(wordsOf('kess3-utility')).toEqual([
      'Scarica file scompattato',
      'Compatta',
      'Compatta e invia',
    ]);
    expect(wordsOf('kess3')).toEqual(['Scarica file decodificato', 'Codifica', 'Codifica e invia']);
  });

  // promise 2.decode.panel-kessv2, 2.decode.panel-ktag, 2.decode.panel-kess3
  test.each([
    [
      'kessv2',
      'protocolID protocolName serialNumber hardware software softwareUpgrade spare softwareDate imp engine vin softwareVersion',
    ],
    ['ktag', 'PRT/FAMILY/SN/HW/SW/SW upd/Spare/Impianto/Engine/VIN'],
    [
      'kess3',
      'Mode/Cks/Protocol/Family/HW/HW Ver./SW/SW Ver./SW upg./Spare/System/VIN/Engine/Recognized/SN/Customer Code/Group Code',
    ],
  ] as const)('of %s show every line of the information panel', (id, names) => {
    const shown = familyPages[id].information.map(({ name }) => name);
    const wanted = names.split(names.includes('/') ? '/' : ' ');
    expect(shown.toSorted()).toEqual(wanted.toSorted());
    for (const { label } of familyPages[id].information) expect(hasText(label)).toBe(true);
  });

  // promise 1.languages.italian
  test.each([
    ['ktag', ['PRT', 'FAMILY', 'SN', 'HW', 'SW', 'SW upd', 'Spare', 'Impianto', 'Engine', 'VIN']],
    [
      'kess3',
      'Mode/Recognized/Protocol/Cks/Family/HW/HW Ver./SW/SW Ver./SW upg./Spare/System/Engine/VIN/SN/Customer Code/Group Code'.split(
        '/',
      ),
    ],
  ] as const)('of %s have the quoted labels in Italian', (id, labels) => {
    const page = familyPages[id];
    expect(page.information.map(({ label }) => labelOf(t, page, label))).toEqual(labels);
  });

  // each row: the field of KESSv2, of K-TAG and of KESS3
  test.each([
    ['serialNumber', 'SN', 'SN'],
    ['hardware', 'HW', 'HW'],
    ['software', 'SW', 'SW'],
    ['softwareUpgrade', 'SW upd', 'SW upg.'],
    ['softwareVersion', null, 'SW Ver.'],
    ['spare', 'Spare', 'Spare'],
    ['imp', 'Impianto', 'System'],
    ['engine', 'Engine', 'Engine'],
    ['vin', 'VIN', 'VIN'],
    [null, 'PRT', 'Protocol'],
    [null, 'FAMILY', 'Family'],
  ])('of all families share the name of a field: %s, %s, %s', (...fields) => {
    const pages = [familyPages.kessv2, familyPages.ktag, familyPages.kess3];
    const labels = pages.flatMap(({ information }, at) =>
      information.flatMap(({ name, label }) => (name === fields[at] ? [label] : [])),
    );
    expect(labels).toHaveLength(fields.filter((field) => field !== null).length);
    expect(new Set(labels).size).toBe(1);
  });

  test('of every family name the extension of their encoded files', () => {
    expect(
      Object.values(familyPages).map(({ id, encodedExtension }) => [id, encodedExtension]),
    ).toEqual(
      expect.arrayContaining([
        ['kessv2', '.moc'],
        ['ktag', '.unq'],
        ['kess3', '.moc'],
        ['kess3-utility', '.moc'],
      ]),
    );
  });
});

// promise 3.storage.session-key, 3.storage.language-key
test('the browser stores session and language under the keys of the specification', () => {
  keepSessionId('session-1');
  expect(readSessionId()).toBe('session-1');
  expect(stores).toEqual(['LNG', 'LLC']);
});
