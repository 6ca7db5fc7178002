/** When two email addresses are the same one. */

/**
 * The form of an address that is compared: without spaces around it, with ASCII letters in lower case. Other letters
 * keep their case, because no standard defines it for all programs: PostgreSQL's `lower()` turns `İ` (U+0130) into `i`,
 * and the address of another domain would open an account. In SQL this is `lower(… collate "C")`.
 */
export function foldEmail(email: string): string {
  return email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether people or other programs could take an address for a different one, such as one with `İ` or a Kelvin sign. */
export function isAmbiguousEmail(email: string): boolean {
  const folded = foldEmail(email);
  return folded.toLowerCase() !== folded || folded.normalize('NFKC') !== folded;
}
