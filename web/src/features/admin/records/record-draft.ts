/** The state of a record's form: the saved record, the user's changes, and what someone else changed meanwhile. Pure. */

import type { FieldValue, Resource } from '@recodery/contract/admin/resource';

/** The values of a record by the names of its fields. */
export type Values = Readonly<Record<string, FieldValue>>;

/** A field that the user and someone else changed to different values. */
export interface Clash {
  readonly field: string;
  readonly before: FieldValue;
  readonly theirs: FieldValue;
  readonly mine: FieldValue;
}

/** What someone else changed since the form was opened. */
export interface Overtaken {
  /** Fields that only they changed; the form shows their values. */
  readonly taken: readonly Omit<Clash, 'mine'>[];
  /** Fields that both changed; the form keeps the user's values until the user decides. */
  readonly clashes: readonly Clash[];
}

/** How the values of a resource's fields are compared: lists without their order, unless it matters. */
export function comparing({ fields }: Pick<Resource, 'fields'>) {
  const isSame = (
    field: string,
    one: FieldValue | undefined,
    other: FieldValue | undefined,
  ): boolean => {
    if (!Array.isArray(one) || !Array.isArray(other)) return (one ?? null) === (other ?? null);
    const listed = (list: readonly string[]): string =>
      JSON.stringify(fields[field]?.isOrdered === true ? list : [...list].sort());
    return listed(one) === listed(other);
  };
  return {
    /** The changes after one more, without what equals the saved values: those are not unsaved. */
    withChange(changes: Values, next: Values, saved: Values): Values {
      const all = Object.entries({ ...changes, ...next });
      return Object.fromEntries(
        all.filter(([field, value]) => !isSame(field, value, saved[field])),
      );
    },
    /** What someone else changed: `before` is what the form was opened with, `now` the current record. */
    overtake(before: Values, now: Values, changes: Values): Overtaken {
      const moved = Object.entries(now).filter(
        ([field, theirs]) => !isSame(field, before[field], theirs),
      );
      const facts = moved.map(([field, theirs]) => ({
        field,
        before: before[field] ?? null,
        theirs,
      }));
      const isMine = (field: string): boolean => Object.hasOwn(changes, field);
      return {
        taken: facts.filter(({ field }) => !isMine(field)),
        clashes: facts.flatMap((fact) => {
          const mine = changes[fact.field];
          return mine === undefined || isSame(fact.field, mine, fact.theirs)
            ? []
            : [{ ...fact, mine }];
        }),
      };
    },
  };
}

/** The changes without those of the fields in which the user takes the other person's values. */
export function withoutClashes(changes: Values, clashes: readonly Clash[]): Values {
  const given = new Set(clashes.map(({ field }) => field));
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !given.has(field)));
}
