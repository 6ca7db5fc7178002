/** Messages that engine programs of tests send to the pool. */
import { say } from '../../../../src/engine/built-in/engine-pipes.ts';

/** Sends a message that may be none of an engine. */
export function sayAnything(message: unknown): void {
  say(message as Parameters<typeof say>[0]);
}

/** The answer to a decode; `said` is the VIN of its read. */
export function makeAnswer({
  said,
  components = [],
}: {
  readonly said: string | null;
  readonly components?: readonly string[];
}): unknown {
  const keys = ['family', 'serialNumber', 'hardware', 'hardwareVersion', 'software'];
  const more = ['softwareVersion', 'softwareUpgrade', 'softwareDate', 'spare', 'system', 'engine'];
  const answer = {
    protocol: { id: 9000, name: 'REF-OPEN' },
    mode: 'obd',
    components: components.map((name) => ({
      name,
      size: 1,
      sha256: '0'.repeat(64),
      recognition: null,
    })),
    information: { ...Object.fromEntries([...keys, ...more].map((key) => [key, null])), vin: said },
    isChecksumRight: null,
    isRecognised: null,
    virtualReading: null,
    isImageMissing: false,
    isChecksumCorrectionNeeded: false,
    isCVNCorrectionPossible: false,
    checksumRules: 0,
    wrongChecksums: [],
    warnings: [],
  };
  return { kind: 'answer', answer };
}
