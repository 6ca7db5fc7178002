/**
 * Which passwords are refused as they are: too short, too long, or common words with the usual decoration. The list of
 * breached passwords is in `common-passwords`.
 */
import type { FieldError } from '@recodery/contract/admin/check-fields';

/** Minimum characters of a password; NIST SP 800-63B requires length, not character classes. */
export const shortestPassword = 8;
/** Longer passwords are wrong; only their beginning is hashed, because a megabyte would keep the machine busy. */
export const longestPassword = 200;

/** Words that lists of breached passwords have near their beginning, in the languages of the portal. */
const commonWords = new Set(
  `password passwort passwd pass parola motdepasse contrasena contraseña senha haslo hasło geheim secret segreto
  admin administrator root user guest test demo default changeme welcome benvenuto willkommen bienvenue bienvenido
  witamy login letmein access master superman batman spiderman starwars pokemon naruto minecraft fortnite roblox
  dragon monkey princess sunshine shadow football baseball basketball soccer hockey calcio juventus inter milan
  barcelona realmadrid liverpool chelsea arsenal manchester bayern flamengo corinthians palmeiras iloveyou tiamo
  ichliebedich jetaime teamo kocham lovely loveme fuckyou hunter killer whatever trustno freedom computer internet
  samsung google facebook instagram linkedin ferrari porsche mercedes bmw audi volkswagen toyota mustang corvette
  harley yamaha ducati tuning chiptuning motor turbo diesel racing garage officina werkstatt taller oficina warsztat
  michael jennifer jordan daniel thomas robert andrea alessandro francesco giuseppe antonio marco matteo martina
  giulia francesca chiara nicole jessica ashley charlie george michelle andrew joshua matthew anthony alexander
  hallo schatz ciao amore bonjour chouchou doudou soleil loulou azerty qwertz qwerty qwertyuiop asdfgh asdfghjkl
  zxcvbnm zxcvbn qazwsx qazwsxedc abcdef abcdefgh abcabc summer winter spring autumn estate inverno sommer kocham
  zaqwsx polska natalia mateusz matrix cheese banana orange cookie pepper ginger buster tigger maggie bailey
  cristina carolina estrella mariposa princesa hola futbol brasil recodery kessv ktag kess`
    .split(/\s+/)
    .map((word) => word.normalize('NFKC')),
);

/** Rows of keys and of characters, along which fingers type. */
const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb',
  'qazwsxedcrfvtgb',
];
const runs = [...rows, ...rows.map((row) => [...row].reverse().join(''))];

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** The words that a password could be made of: without decoration around it, with lookalikes replaced. */
function wordsIn(password: string): readonly string[] {
  const bare = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const unmasked = (text: string) =>
    text.replaceAll(/[013457@$!]/g, (sign) => lookalikes[sign] ?? sign);
  return [bare, unmasked(bare), unmasked(password), unmasked(password.replace(/[\d\W_]+$/, ''))];
}

/** Whether a text is one piece of a row, or such pieces and a repetition of them. */
function isTypedAlong(password: string): boolean {
  if (runs.some((run) => run.includes(password))) return true;
  const half = /^(.+?)\1+$/u.exec(password)?.[1];
  if (half !== undefined && half.length < 6) return true;
  const pieces = password.match(/[a-z]+|\d+/g) ?? [];
  const isWhole = pieces.join('') === password.replaceAll(/[^a-z\d]/g, '');
  return isWhole && pieces.every((piece) => runs.some((run) => run.includes(piece)));
}

/** Whether a password is among the first that an attacker would try for this user. */
function isCommon(password: string, about: readonly string[]): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  if (new Set(folded).size < 4 || isTypedAlong(folded)) return true;
  const own = about.flatMap((text) => text.toLowerCase().split(/[^\p{L}\d]+/u));
  const known = new Set([...commonWords, ...own.filter((word) => word.length > 3)]);
  return wordsIn(folded).some((word) => {
    // also a word that was typed twice
    const once = /^(\p{L}+?)\1+$/u.exec(word)?.[1] ?? word;
    return known.has(word) || known.has(once);
  });
}

/** Why a password is refused. */
export type PasswordFault = Extract<FieldError, `PASSWORD_${string}`>;

/** Why a new password is refused; null: it is not. `about`: the user's name, email address and organisation. */
export function findPasswordFault(
  password: string,
  about: readonly string[],
): PasswordFault | null {
  if ([...password].length < shortestPassword) return 'PASSWORD_TOO_SHORT';
  if (password.length > longestPassword) return 'PASSWORD_TOO_LONG';
  return isCommon(password, about) ? 'PASSWORD_TOO_COMMON' : null;
}
