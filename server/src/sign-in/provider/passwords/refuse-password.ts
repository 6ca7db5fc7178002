/** Which new passwords are refused: by the rules, and because they are among those that appear most often in breaches. */
import { isBreached } from './common-passwords.ts';
import { findPasswordFault, type PasswordFault } from './password-rules.ts';

/** Why a new password is refused; null: it is not. `about`: the user's name, email address and organisation. */
export function refusePassword(password: string, about: readonly string[]): PasswordFault | null {
  const fault = findPasswordFault(password, about);
  return fault === null && isBreached(password) ? 'PASSWORD_TOO_COMMON' : fault;
}
