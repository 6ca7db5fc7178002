/** What the input of each kind of field receives. */
import type { Field, FieldValue } from '@recodery/contract/admin/resource';

export interface RecordFieldProps {
  readonly name: string;
  readonly field: Field;
  readonly label: string;
  readonly hint: string | null;
  /** Why the value is not accepted. */
  readonly error: string | null;
  readonly value: FieldValue;
  /** The options of a field that depends on another one; otherwise those of its declaration. */
  readonly options?: readonly string[];
  readonly onChange: (value: FieldValue) => void;
}
