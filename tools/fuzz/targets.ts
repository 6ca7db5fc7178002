/** The fuzz targets. Each is loaded only in the thread that searches it. */

/** A target that is not loaded yet. */
export interface TargetEntry {
  readonly name: string;
  /** The code whose coverage guides the search: the beginnings of its paths in the project. */
  readonly covers: readonly string[];
  /** The address of its module, which exports `target`. */
  readonly module: string;
}

const describe = (name: string, covers: readonly string[]): TargetEntry => ({
  name,
  covers,
  module: new URL(`targets/${name}.ts`, import.meta.url).href,
});

/** All targets. */
export const targets: readonly TargetEntry[] = [
  describe('containers', ['codec/src/', 'contract/src/recognize.ts']),
  describe('protocols', ['codec/src/']),
  describe('checksums', ['codec/src/checksum/']),
  describe('known-checksums', ['codec/src/known-checksums/']),
  describe('texts', ['codec/src/diagnosis/text/', 'codec/src/diagnosis/convert.ts']),
  describe('diagnosis', ['codec/src/diagnosis/']),
  describe('recognition', ['codec/src/recognition/']),
  describe('multipart', [
    'server/src/http/',
    'contract/src/file-names.ts',
    'node_modules/@fastify/busboy/',
  ]),
  describe('directory', ['server/src/organisations/']),
  describe('vendor', ['server/src/encoding-api-client/']),
];
