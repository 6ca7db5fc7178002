/** All families and workflows. A new family is one line in `definitions` and one in `workflowDefinitions`. */
import * as z from 'zod/mini';
import { sharedErrorNames, sharedInternalErrorNames } from '../errors.ts';
import type {
  ComponentName,
  ContainerDeclaration,
  FamilyDefinition,
  WorkflowDefinition,
} from './family.ts';
import { autoflasher, autoflasherWorkflow } from './autoflasher.ts';
import { autotuner, autotunerWorkflow } from './autotuner.ts';
import { bflash, bflashWorkflow } from './bflash.ts';
import { flex, flexWorkflow } from './flex.ts';
import { classicErrorNames, classicInternalErrorNames } from './classic-errors.ts';
import { kess3, kess3Workflow } from './kess3.ts';
import { kess3UtilityWorkflow } from './kess3-utility.ts';
import { kessv2, kessv2Workflow } from './kessv2.ts';
import { ktag, ktagWorkflow } from './ktag.ts';

/** The families by their names in paths and code. The web's registry determines the order of menus and lists. */
export const definitions = {
  kessv2,
  ktag,
  kess3,
  bflash,
  autotuner,
  flex,
  autoflasher,
} as const satisfies Record<string, FamilyDefinition>;
type Definitions = typeof definitions;
/** A device family. */
export type Family = keyof Definitions;

/** The workflows by the path of their pages. */
const workflowDefinitions = {
  kessv2: kessv2Workflow,
  ktag: ktagWorkflow,
  kess3: kess3Workflow,
  'kess3-utility': kess3UtilityWorkflow,
  bflash: bflashWorkflow,
  autotuner: autotunerWorkflow,
  flex: flexWorkflow,
  autoflasher: autoflasherWorkflow,
} as const satisfies Record<string, WorkflowDefinition & { readonly family: Family }>;
/** A workflow of a family; each has its own page. */
export type Workflow = keyof typeof workflowDefinitions;

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): [K, ...K[]] {
  return Object.keys(record) as [K, ...K[]];
}

export const families = keysOf<Family>(definitions);
export const workflows = keysOf<Workflow>(workflowDefinitions);

/** One value per family. */
export function byFamily<T>(valueOf: (family: Family) => T): Record<Family, T> {
  return Object.fromEntries(families.map((family) => [family, valueOf(family)])) as Record<
    Family,
    T
  >;
}

/** One value per workflow. */
export function byWorkflow<T>(valueOf: (workflow: Workflow) => T): Record<Workflow, T> {
  return Object.fromEntries(workflows.map((workflow) => [workflow, valueOf(workflow)])) as Record<
    Workflow,
    T
  >;
}

/** The definition of a family. */
export function definitionOf(family: Family): FamilyDefinition {
  return definitions[family];
}

/** The family's type of a component, as in paths and results; null if it has no such component. */
export function componentTypeOf(family: Family, component: ComponentName): string | null {
  const types: readonly string[] = definitions[family].componentTypes;
  return types.find((type) => type.toLowerCase() === component) ?? null;
}

/** The definition of a workflow. */
export function workflowOf(workflow: Workflow): WorkflowDefinition & { readonly family: Family } {
  return workflowDefinitions[workflow];
}

/** The workflows of a family, its own page first. */
export function workflowsOf(family: Family): readonly Workflow[] {
  return workflows.filter((workflow) => workflowDefinitions[workflow].family === family);
}

/** The family's utility, or its workflow that decodes and encodes; null if the family has none. */
export function findWorkflow(family: Family, { isUtility }: WorkflowFields): Workflow | null {
  return workflowsOf(family).find((id) => describeWorkflow(id).isUtility === isUtility) ?? null;
}

/** How operation records identify the workflow, in addition to their family. */
export const workflowFields = {
  /** True for operations of a utility, which unpacks and compacts backups. */
  isUtility: z.boolean(),
};
const anyRecord = z.object(workflowFields);
/** The fields of {@link workflowFields} in a record. */
export type WorkflowFields = Readonly<z.infer<typeof anyRecord>>;

/** The fields of {@link workflowFields} for a workflow. */
export function describeWorkflow(workflow: Workflow): WorkflowFields {
  return { isUtility: workflowDefinitions[workflow].right === 'utility' };
}

/** The workflow of an operation of `family`. */
export function readWorkflow(family: Family, fields: WorkflowFields): Workflow {
  return findWorkflow(family, fields) ?? family;
}

/** The operation types of a family. */
export type OperationTypes<F extends Family> = Definitions[F]['operationTypes'];
/** An operation type of any family. */
export type OperationType = Definitions[Family]['operationTypes']['decode' | 'encode'];
/** The operation types, grouped by family. */
export const operationTypes = families.flatMap((family): OperationType[] => {
  const { decode, encode } = definitions[family].operationTypes;
  return [decode, encode];
}) as [OperationType, ...OperationType[]];

/** The operation types of a family. */
export function typesOf(family: Family): {
  readonly decode: OperationType;
  readonly encode: OperationType;
} {
  return definitions[family].operationTypes;
}

/** The family of an operation, and whether it is a decode. */
export function describeOperationType(type: OperationType): {
  readonly family: Family;
  readonly isDecode: boolean;
} {
  for (const family of families) {
    const { decode, encode } = definitions[family].operationTypes;
    if (type === decode || type === encode) return { family, isDecode: type === decode };
  }
  throw new Error(`${type} belongs to no family`);
}

/** The families whose files are in the portal's own container. */
export type ContainerFamily = {
  [F in Family]: Definitions[F] extends { readonly container: ContainerDeclaration } ? F : never;
}[Family];
export const containerFamilies = families.filter(
  (family): family is ContainerFamily => definitionOf(family).container !== undefined,
);

/** The workflows of these families. */
export type ContainerWorkflow = {
  [W in Workflow]: (typeof workflowDefinitions)[W]['family'] extends ContainerFamily ? W : never;
}[Workflow];

/** What a family declares about its container. @throws when it has none: only its vendor's service opens its files */
export function containerOf(family: Family): ContainerDeclaration {
  const { container } = definitionOf(family);
  if (container === undefined) throw new Error(`the files of ${family} are in no container`);
  return container;
}

/** The families that client applications can use. */
export type ApiFamily = {
  [F in Family]: Definitions[F]['hasEncodingApi'] extends true ? F : never;
}[Family];
export const isApiFamily = (family: Family): family is ApiFamily =>
  definitionOf(family).hasEncodingApi;
export const apiFamilies = families.filter(isApiFamily);

type ContainerDefinition = Definitions[ContainerFamily]['container'];
/** Every error name that a failed operation can have. */
export type RecodErrorName =
  | ContainerDefinition['errorNames'][number]
  | (typeof classicErrorNames)[number]
  | (typeof sharedErrorNames)[number];

/** The error names of a family's failed operations; one without a container has those that KESSv2 and K-TAG share. */
export function errorNamesOf(family: Family): readonly RecodErrorName[] {
  const definition = definitions[family];
  const own: readonly RecodErrorName[] =
    'container' in definition ? definition.container.errorNames : classicErrorNames;
  return [...own, ...sharedErrorNames];
}

/** Every {@link RecodErrorName}, once. */
export const recodErrorNames: readonly RecodErrorName[] = [
  ...new Set(families.flatMap(errorNamesOf)),
];

/** The error names of internal errors: the server or the engine failed, not the file. */
export const internalErrorNames: ReadonlySet<string> = new Set<RecodErrorName>([
  ...containerFamilies.flatMap(
    (family): readonly RecodErrorName[] => definitions[family].container.internalErrorNames,
  ),
  ...classicInternalErrorNames,
  ...sharedInternalErrorNames,
]);

/** The field of a group code for the master devices of a family. */
type MastersField = Definitions[Family]['mastersField'];
/** The fields of a group code for its master devices, one per family. */
export function describeMasters<T>(valueOf: (family: Family) => T): Record<MastersField, T> {
  return Object.fromEntries(
    families.map((family) => [definitions[family].mastersField, valueOf(family)]),
  ) as Record<MastersField, T>;
}

/** A preference that contains the name format of a family's encoded files. */
export type NameFormatField = NonNullable<Definitions[Family]['nameFormatField']>;
/** The families with a name format, and the preference that contains it. */
export const familiesWithNameFormat = families.flatMap(
  (family): { readonly family: Family; readonly field: NameFormatField }[] => {
    const { nameFormatField: field } = definitions[family];
    return field === null ? [] : [{ family, field }];
  },
);

/** The preferences that contain name formats. */
export function describeNameFormats<T>(
  formatOf: (family: Family) => T,
): Record<NameFormatField, T> {
  return Object.fromEntries(
    familiesWithNameFormat.map(({ family, field }) => [field, formatOf(family)]),
  ) as Record<NameFormatField, T>;
}
