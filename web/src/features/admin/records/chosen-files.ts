/** The files that the user has chosen in forms, by their SHA-256 hash, which is the value of the field. */

const files = new Map<string, File>();

/** Keeps a file until the page is left, and returns its hash. The copy is what is uploaded, even if the file changes on the disk. */
export async function keepFile(file: File): Promise<string> {
  const copy = new File([await file.arrayBuffer()], file.name);
  // only records with a file need it
  const { hashFile } = await import('../../../api/files/file-hash.ts');
  const hash = await hashFile(copy);
  files.set(hash, copy);
  return hash;
}

/** The chosen file with this hash, or null. */
export function chosenFile(hash: unknown): File | null {
  return typeof hash === 'string' ? (files.get(hash) ?? null) : null;
}

/** Forgets a file that was uploaded. */
export function forgetFile(hash: unknown): void {
  if (typeof hash === 'string') files.delete(hash);
}
