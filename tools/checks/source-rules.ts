/** Rules for source files that neither the linter nor the import rules can check. */

/** Source files by their path from the project's root. */
type Sources = Readonly<Record<string, string>>;

/** Calls of the query builder, and SQL templates. */
const sql =
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(?:<[^`]*>)?`/;

const isRoutesOrRules = /^server\/src\/.*(?:routes|-rules)\.ts$/;

/** The lint rules that no comment may disable, by each name that the linter accepts. */
const strictRules = ['exhaustive-deps', 'expect-expect'];

/** A comment that disables a strict rule, or every rule. */
const disabled = new RegExp(
  String.raw`\b(?:oxlint|eslint)-disable(?:-next-line|-line)?(?:[^\n]*\b(?:${strictRules.join('|')})\b|\s*(?:--[^\n]*|\*/\s*)?$)`,
);

/**
 * The lines that break a rule, one line of text each: routes or rules with SQL, and strict lint rules that a comment
 * disables.
 */
export function findSourceFaults(sources: Sources): readonly string[] {
  return Object.entries(sources).flatMap(([file, source]) =>
    source.split('\n').flatMap((line, index) => {
      const at = `${file}:${index + 1}`;
      return [
        ...(isRoutesOrRules.test(file) && sql.test(line)
          ? [`${at} contains SQL: call a function of the file that owns the table`]
          : []),
        ...(disabled.test(line) ? [`${at} disables a rule of the linter: fix the code`] : []),
      ];
    }),
  );
}
