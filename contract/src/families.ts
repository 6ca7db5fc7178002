/** The device families, their modes and components: the words that every room uses for them. */

/** The families, in the order of menus and lists. */
export const families = ['kessv2', 'ktag', 'kess3'] as const;
/** A device family, by its name in paths and code. */
export type Family = (typeof families)[number];

/** The families' names as people write them. */
export const familyNames: Readonly<Record<Family, string>> = {
  kessv2: 'KESSv2',
  ktag: 'K-TAG',
  kess3: 'KESS3',
};

/** The modes, in the order of their numbers in a file. */
export const modes = ['obd', 'bootbench'] as const;
/** How a slave reached the ECU: through the diagnostic socket, or on the bench. */
export type Mode = (typeof modes)[number];

/** Component names as the device simulator and the codec use them. `obd` is the one image of KESSv2 and KESS3 OBD. */
export const componentNames = ['flash', 'micro', 'eeprom', 'tuningfile', 'mapfile', 'obd'] as const;
/** What a component is, family apart. */
export type ComponentName = (typeof componentNames)[number];

/** K-TAG's component types, as in paths and results. */
export const ktagComponentTypes = ['flash', 'micro', 'eeprom', 'tuningfile'] as const;

/** KESS3 BootBench's component types, as in paths and results. */
export const kess3ComponentTypes = ['Flash', 'Micro', 'EEPROM', 'MapFile'] as const;
export type Kess3ComponentType = (typeof kess3ComponentTypes)[number];

/** The file extension of each decoded component, dot included. */
export const componentExtensions: Readonly<Record<ComponentName, string>> = {
  flash: '.fls',
  micro: '.mpc',
  eeprom: '.epr',
  tuningfile: '.tun',
  mapfile: '.map',
  obd: '.bin',
};

/** The extension of each family's encoded file, dot included. */
export const encodedFileExtensions: Readonly<Record<Family, string>> = {
  kessv2: '.moc',
  ktag: '.unq',
  kess3: '.moc',
};
