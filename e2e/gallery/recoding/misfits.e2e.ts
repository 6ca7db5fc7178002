/** The explanation of a file that does not fit: its sentences, its picture, and the button of its repair. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from '../states.ts';
import {
  all,
  button,
  dialogOf,
  expectReports,
  pressEscape,
  pressKey,
  showsText,
  t,
} from '../steps.ts';

const file = 'stage1.bin';
const noBreak = '\u00a0';

/** The button of a repair, which names the part. */
const repairOf = (page: Page, key: string, given = {}) =>
  button(page, 'ui.labelled', { label: t(key, given), value: t('recoding.part.flash') });

/** Shows sentences, and offers no repair. */
const says = (...texts: string[]): Promises =>
  all(showsText(texts.join(' ')), async (page) => {
    await expect(page.getByRole('button')).toHaveCount(0);
  });

/** Shows sentences, and one button that puts the repaired file into a part. */
function repairs(
  texts: readonly string[],
  key: string,
  { part = 'Flash', ...given }: { readonly part?: string; readonly component?: string } = {},
): Promises {
  return all(showsText(texts.join(' ')), showsText(t('misfit.lossless')), async (page) => {
    await pressKey(repairOf(page, key, given), 'Enter');
    await expectReports(page, `place ${part} ${file}`);
  });
}

/** Shows sentences, and asks before it takes bytes from the read. */
function asks(texts: readonly string[]): Promises {
  return all(showsText(texts.join(' ')), async (page) => {
    await pressKey(repairOf(page, 'misfit.fill'), 'Enter');
    await expect(dialogOf(page)).toHaveAccessibleName(t('misfit.ask.title'));
    await pressEscape(page);
    await repairOf(page, 'misfit.fill').click();
    await dialogOf(page)
      .getByRole('button', { name: t('misfit.fill'), exact: true })
      .click();
    await expectReports(page, `place Flash ${file}`);
  });
}

/** A picture whose name contains where the parts belong. */
const draws =
  (words: string): Promises =>
  async (page) => {
    await expect(page.getByRole('img', { name: words })).toBeVisible();
  };

const format = (name: string): string => t('misfit.format', { format: name });
const bytes = (count: string): string => `${count}${noBreak}B`;
const eeprom = t('recoding.part.eeprom');

testGroup('misfits', {
  'features/recoding/encode/misfit/misfit-panel.tsx': {
    empty: says(t('misfit.empty')),
    sealed: says(t('misfit.sealed')),
    archive: repairs([t('misfit.archive.image')], 'misfit.use'),
    'archive without the image': says(t('misfit.archive')),
    'archive with a password': says(t('misfit.archive-with-password')),
    'intel hex': repairs([format('Intel HEX'), t('misfit.format.whole')], 'misfit.convert'),
    'damaged line': says(format('Intel HEX'), t('misfit.line.checksum', { line: '812' })),
    's-record without a part': asks([
      format('S-record'),
      t('misfit.format.missing', { bytes: bytes('262,144') }),
    ]),
    'hex dump': says(
      format(t('misfit.format.hex-dump')),
      t('misfit.format.filled', { bytes: bytes('32,768') }),
    ),
    'c array': says(format(t('misfit.format.c-array')), t('misfit.format.other')),
    'base64 of another component': repairs(
      [format('Base64'), t('misfit.other-component', { component: eeprom })],
      'misfit.put',
      { part: 'EEPROM', component: eeprom },
    ),
    'web page': says(t('misfit.web-page')),
    xml: says(t('misfit.xml')),
    text: says(t('misfit.text')),
    pointer: says(t('misfit.pointer')),
    erased: says(t('misfit.erased', { value: 'FF' })),
    'line ends': repairs([t('misfit.as-text'), t('misfit.as-text.undo')], 'misfit.convert'),
    'utf-8': says(t('misfit.as-text'), t('misfit.as-text.lost')),
    repeated: all(
      draws(t('misfit.picture.place', { from: '0x80000–0xFFFFF', to: '0x0–0x7FFFF' })),
      repairs([t('misfit.repeated', { number: '2' }), t('misfit.repeated.equal')], 'misfit.use'),
    ),
    pieces: repairs([t('misfit.pieces')], 'misfit.convert'),
    'lost byte': asks([t('misfit.pieces.lost', { bytes: bytes('1') })]),
    swapped: repairs([t('misfit.pairs')], 'misfit.swap'),
    inverted: repairs([t('misfit.inverted')], 'misfit.convert'),
    inside: all(
      draws(t('misfit.picture.outside', { range: '0x0–0xFFFF' })),
      repairs([t('misfit.inside', { bytes: bytes('65,536') }), t('misfit.fours')], 'misfit.use'),
    ),
    partial: all(
      draws(t('misfit.picture.missing', { range: '0x0–0xFFFF' })),
      asks([t('misfit.partial', { bytes: bytes('65,536') })]),
    ),
    shifted: asks([t('misfit.shifted', { bytes: bytes('65,536') })]),
    'every second byte': says(t('misfit.even')),
    'other component': repairs([t('misfit.other-component', { component: eeprom })], 'misfit.put', {
      part: 'EEPROM',
      component: eeprom,
    }),
    'erased part': says(t('misfit.erased-part', { bytes: bytes('131,072'), address: '0x40000' })),
    dense: says(t('misfit.dense')),
    'other software': says(
      t('misfit.other-software'),
      t('misfit.other-software.ids', {
        file: '1037366001 · 0261207001',
        expected: '1037366002 · 0261207001',
      }),
    ),
    unrelated: says(t('misfit.unrelated')),
  },
  'features/misfit/repaired.tsx': {
    inside: all(
      showsText([t('misfit.inside', { bytes: bytes('65,536') }), t('misfit.fours')].join(' ')),
      draws(t('misfit.picture.outside', { range: '0x0–0xFFFF' })),
    ),
  },
  'features/misfit/misfit-picture.tsx': {
    inside: draws(t('misfit.picture.place', { from: '0x10000–0x8FFFF', to: '0x0–0x7FFFF' })),
  },
});
