/** Counts what a process asks of the database, by the request or the background work that asks. */
import { nameOfWork } from '../config/named-work.ts';
import { databaseStatements, databaseTransactions } from './metrics.ts';

/** Counts a statement, or the transaction that it begins. */
export function countStatement(text: string): void {
  const caller = nameOfWork();
  if (/^(?:begin|start transaction)/i.test(text)) databaseTransactions.inc({ caller });
  else if (!/^(?:commit|rollback|savepoint|release)/i.test(text))
    databaseStatements.inc({ caller });
}
