/** Statements whose text is built once: for frequent ones, building it takes as long as sending it. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './tables/schema.ts';

/** A statement as it was built: for each of its parameters the place of a value, or the parameter itself. */
interface Built<O> {
  readonly compiled: CompiledQuery<O>;
  readonly places: readonly { readonly place: number; readonly fixed: unknown }[];
}

/**
 * Creates a statement whose text is the same for all values. `build` is called once, with a stand-in for each value. It must
 * pass them on as parameters, unchanged, and use nothing else that can change, such as the time. The statement rejects if
 * `build` leaves out a value.
 */
export function buildOnce<V extends readonly string[], O>(
  build: (db: Db, ...values: V) => Compilable<O>,
): (db: Db, ...values: V) => Promise<readonly O[]> {
  let built: Built<O> | null = null;
  const compile = (db: Db, count: number): Built<O> => {
    const standIns = Array.from({ length: count }, (_, place) => `the value at ${place}`);
    // the types of values that are identifiers are only those of texts
    const compiled = build(db, ...(standIns as unknown as V)).compile();
    const places = compiled.parameters.map((fixed) => ({
      place: standIns.indexOf(fixed as string),
      fixed,
    }));
    if (standIns.some((_, place) => !places.some((one) => one.place === place)))
      throw new Error('the statement does not pass on all of its values');
    return { compiled, places };
  };
  return async (db, ...values) => {
    built ??= compile(db, values.length);
    const { compiled, places } = built;
    const parameters = places.map(({ place, fixed }) => (place < 0 ? fixed : values[place]));
    const { rows } = await db.executeQuery<O>({ ...compiled, parameters });
    return rows;
  };
}
