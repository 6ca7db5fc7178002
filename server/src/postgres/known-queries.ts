/**
 * Queries of the driver that ask the server for less: a result whose columns the connection knows is not described again,
 * and a transaction begins in one exchange with its first statement.
 */
import pg from 'pg';

/** The driver's result, as far as it depends on the columns. */
interface Columns {
  fields: readonly unknown[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** The driver's messages to the server. */
interface Wire {
  /** The texts of plans that were sent, by their names. */
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: { readonly text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
  describe(message: object): void;
}

/** The members of the driver's query that its types do not list. */
interface DriverQuery {
  name: string | undefined;
  values: readonly unknown[];
  queryMode: 'extended';
  callback: (error: Error | null, result: pg.QueryResult) => void;
  _result: Columns;
  _accumulateRows: boolean;
  hasBeenParsed(wire: Wire): boolean;
  prepare(wire: Wire): void;
  handleCommandComplete(message: object, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

/** A query as the driver takes it. */
export interface KnownQueryConfig {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Of the plan that the connection keeps; undefined: it keeps none. */
  readonly name: string | undefined;
  /** Whether a transaction begins with it. */
  readonly begins: boolean;
}

/** What a connection knows about its plans. */
interface Known {
  /** The columns by the name of the plan: the server refuses a plan whose columns have changed. */
  readonly columns: Map<string, Columns>;
  /** The same connection, which does not ask for columns. */
  readonly quiet: Wire;
}

const knownOf = new WeakMap<Wire, Known>();

function know(wire: Wire): Known {
  const known = knownOf.get(wire) ?? {
    columns: new Map<string, Columns>(),
    quiet: Object.create(wire, { describe: { value: () => undefined } }) as Wire,
  };
  knownOf.set(wire, known);
  return known;
}

class KnownQuery extends (pg.Query as unknown as new (text: string) => DriverQuery) {
  readonly #name: string | undefined;
  /** Whether the answer to `begin` is still to come. */
  #isBeginning: boolean;

  constructor({ text, values, name, begins }: KnownQueryConfig, callback: DriverQuery['callback']) {
    // the driver copies an object in a way that takes several times as long as the rest of this
    super(text);
    this.values = values;
    this.name = name;
    this.queryMode = 'extended';
    this.callback = callback;
    this.#name = name;
    this.#isBeginning = begins;
  }

  override prepare(wire: Wire): void {
    if (this.#isBeginning) {
      wire.parse({ text: 'begin' });
      wire.bind({});
      wire.execute({});
    }
    const { columns, quiet } = know(wire);
    const mine = this.#name === undefined ? undefined : columns.get(this.#name);
    if (mine === undefined || !this.hasBeenParsed(wire)) super.prepare(wire);
    else {
      Object.assign(this._result, mine);
      this._accumulateRows = true;
      super.prepare(quiet);
    }
    // the driver would take the answers to `begin` for those to this plan
    if (this.#isBeginning) this.name = undefined;
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    if (this.#isBeginning) {
      this.#isBeginning = false;
      this.name = this.#name;
      return;
    }
    super.handleCommandComplete(message, wire);
    if (this.#name === undefined) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    know(wire).columns.set(this.#name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override handleError(error: Error, wire: Wire): void {
    // the server did not begin, and has not read the plan
    if (this.#isBeginning && this.#name !== undefined)
      delete wire.submittedNamedStatements[this.#name];
    super.handleError(error, wire);
  }
}

/** Sends a query, which must be a single statement. */
export function sendKnown(
  client: pg.ClientBase,
  config: KnownQueryConfig,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new KnownQuery(config, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    client.query(query as unknown as pg.Query);
  });
}
