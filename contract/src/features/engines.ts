/** Engines, which decode and encode for master devices, and what each kind of engine offers. */
import * as z from 'zod/mini';
import { json, route } from '../api.ts';
import type { WorkflowDefinition } from '../families/family.ts';
import { apiFamilies, containerFamilies, families, type Family } from '../families/registry.ts';

/** The name of the portal's own engine; no connection can have it. */
export const builtInEngine = 'built-in';

/** The optional features of an engine. */
export const engineOffers = z.object({
  /** Takes read files that are not in the portal's own container. */
  foreignFiles: z.boolean(),
  /** Unpacks and compacts backups. */
  utility: z.boolean(),
  /** Decodes and encodes without checking or correcting checksums. */
  checksumSkip: z.boolean(),
  /** Removes components of a read from the encoded file. */
  componentRemoval: z.boolean(),
  /** Corrects the CVN, where the read allows it. */
  cvnCorrection: z.boolean(),
  /** Uploaded images are checked beyond their size and similarity: identification, maps files, originals. */
  imageChecks: z.boolean(),
});
export type EngineOffers = z.infer<typeof engineOffers>;

/** What a connection to a vendor's service needs besides a name and a secret. */
export interface EngineSettings {
  /** The address of the service, used unless the operator gives another; null: the operator must give one. */
  readonly url: string | null;
  /** What the client identifies at the vendor, in one phrase; null: this kind has none. */
  readonly client: string | null;
}

/** What a kind of engine can do. */
export interface EngineDefinition {
  /** The families that it serves: a master device of another family cannot have an engine of this kind. */
  readonly families: readonly Family[];
  readonly offers: EngineOffers;
  /** Absent: the portal's own engine. */
  readonly settings?: EngineSettings;
}

/** The offers of a service that only opens and seals the files of its own slaves. */
const decodeAndEncode: EngineOffers = {
  foreignFiles: true,
  utility: false,
  checksumSkip: false,
  componentRemoval: false,
  cvnCorrection: false,
  imageChecks: false,
};

/** The kinds of engine: the portal's own, and one for each API of a vendor's service. */
export const engineDefinitions = {
  'built-in': {
    families: containerFamilies,
    offers: {
      foreignFiles: false,
      utility: true,
      checksumSkip: true,
      componentRemoval: true,
      cvnCorrection: true,
      imageChecks: true,
    },
  },
  /** The Encoding API. */
  'encoding-api': {
    families: apiFamilies,
    offers: { ...decodeAndEncode, cvnCorrection: true },
    settings: { url: null, client: 'GUID of the client application at the vendor' },
  },
  /** bFlash's service for masters. */
  bflash: {
    families: ['bflash'],
    offers: decodeAndEncode,
    settings: { url: 'https://api.bflash.eu', client: null },
  },
  /** AutoTuner's service for masters. */
  autotuner: {
    families: ['autotuner'],
    offers: decodeAndEncode,
    settings: {
      url: 'https://api.autotuner-tool.com/v2/api/v1/master',
      client: 'ID of the master account (autotuner)',
    },
  },
  /** MagicMotorsport's service for masters of Flex. */
  flex: {
    families: ['flex'],
    offers: decodeAndEncode,
    settings: { url: 'https://api.magicmotorsport.com', client: null },
  },
  /** AutoFlasher's service for masters. */
  autoflasher: {
    families: ['autoflasher'],
    offers: decodeAndEncode,
    settings: { url: 'https://autoflasher-portal.de/api', client: null },
  },
} as const satisfies Readonly<Record<string, EngineDefinition>>;
export type EngineKind = keyof typeof engineDefinitions;
export const engineKinds = Object.keys(engineDefinitions) as [EngineKind, ...EngineKind[]];
/** The kinds of connection to a vendor's service. */
export type ConnectionKind = Exclude<EngineKind, typeof builtInEngine>;

export const connectionKinds = engineKinds.filter(
  (kind): kind is ConnectionKind => kind !== builtInEngine,
);

/** What a connection of a kind needs. */
export function settingsOf(kind: ConnectionKind): EngineSettings {
  return engineDefinitions[kind].settings;
}

/** What engines of a kind can do. */
export function engineOf(kind: EngineKind): EngineDefinition {
  return engineDefinitions[kind];
}

/** Whether a kind of vendor's service offers the workflows of a family that need a right. */
export function isOfferedByVendors(family: Family, right: WorkflowDefinition['right']): boolean {
  return Object.entries<EngineDefinition>(engineDefinitions).some(
    ([kind, { families: served, offers }]) =>
      kind !== builtInEngine && served.includes(family) && servesRight(offers, right),
  );
}

/** Whether an engine serves the workflows that need a right. */
export function servesRight(offers: EngineOffers, right: WorkflowDefinition['right']): boolean {
  return right !== 'utility' || offers.utility;
}

/** An engine as a page shows it: `built-in`, or the name of a connection. */
export const engine = z.object({
  name: z.string(),
  kind: z.enum(engineKinds),
  offers: engineOffers,
});
export type EngineSummary = z.infer<typeof engine>;

/** A master device and the engine that serves it. */
export const masterEngine = z.object({
  family: z.enum(families),
  groupCode: z.string(),
  masterDeviceSerialNumber: z.string(),
  engine,
});

export const listEngines = route('GET', '/api/engines', {
  summary: 'Lists the master devices of the current customer code, each with its engine.',
  access: 'portal',
  answer: json(z.array(masterEngine)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});
