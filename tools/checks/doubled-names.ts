/** Finds exported names that several files define: a reader who searches for a name should find one thing. */

type Sources = Readonly<Record<string, string>>;

const exported =
  /^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type) (?<name>\w+)/gm;

/** The names that several files define, with these files. */
function findDoubledNames(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, Set<string>>();
  for (const [file, source] of Object.entries(sources)) {
    for (const { groups } of source.matchAll(exported)) {
      const name = groups?.['name'] ?? '';
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  return new Map([...files].flatMap(([name, all]) => (all.size > 1 ? [[name, [...all]]] : [])));
}

/**
 * The lines of the check, one for each fault: a name that is doubled although it is not `allowed`, and an allowed one
 * that no longer is.
 */
export function findNameFaults(sources: Sources, allowed: ReadonlySet<string>): readonly string[] {
  const doubled = findDoubledNames(sources);
  const added = [...doubled].flatMap(([name, files]) =>
    allowed.has(name) ? [] : [`${name} has two meanings: rename one of ${files.join(', ')}`],
  );
  const unique = [...allowed].filter((name) => !doubled.has(name));
  return [
    ...added,
    ...unique.map(
      (name) => `${name} has one meaning: delete it from tools/checks/allowed-names.ts`,
    ),
  ];
}
