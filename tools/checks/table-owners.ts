/** Which file writes which table, compared with the tables' owners. */

/** The files of `server/src` that may write a table. */
export type TableOwners = Readonly<Record<string, readonly string[]>>;

/** For statements whose table is a variable. */
export const anyTable = '(any)';

/** A table's name in SQL, quoted or not, or a variable instead of it. */
const name = String.raw`(?:only\s+)?(\$\{|"?\w+)`;
const writes = [
  // of the query builder
  /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*(?:['"`](\w+)|[^'"`\s])/g,
  // of SQL
  new RegExp(String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into)\s+${name}`, 'gi'),
  new RegExp(String.raw`\btruncate\s+(?:table\s+)?${name}`, 'gi'),
  new RegExp(String.raw`\bupdate\s+${name}\S*(?:\s+as)?(?:\s+\w+)?\s+set\b`, 'gi'),
];

/** The tables that functions of the database write, by their names. */
export type TableWriters = Readonly<Record<string, string>>;

/** The tables that a source file writes, itself or by a function, without those that only its comments name. */
function findWrites(source: string, writers: TableWriters): ReadonlySet<string> {
  const code = source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '');
  const found = writes.flatMap((pattern) => [...code.matchAll(pattern)]);
  const called = Object.keys(writers).filter((writer) => code.includes(`${writer}(`));
  return new Set([
    ...found.map(([, table = '${']) => (table === '${' ? anyTable : table.replace('"', ''))),
    ...called.map((writer) => writers[writer] ?? ''),
  ]);
}

/**
 * The contradictions to the list, one line each: writers that are not the owner, and entries for files that do not
 * write the table. `sources` are the files by path.
 */
export function findOwnerFaults(
  owners: TableOwners,
  sources: Readonly<Record<string, string>>,
  writers: TableWriters = {},
): readonly string[] {
  const written = Object.entries(sources).flatMap(([file, source]) =>
    [...findWrites(source, writers)].map((table) => ({ file, table })),
  );
  const isWriter = (file: string, table: string): boolean =>
    written.some((write) => write.file === file && write.table === table);
  return [
    ...written
      .filter(({ file, table }) => owners[table]?.includes(file) !== true)
      .map(
        ({ file, table }) =>
          `${file} writes ${table}, owned by ${owners[table]?.join(' and ') || 'no file'}`,
      ),
    ...Object.entries(owners).flatMap(([table, files]) =>
      files
        .filter((file) => !isWriter(file, table))
        .map((file) => `${file} does not write ${table}: remove it from the list`),
    ),
  ];
}
