/** The SHA-256 of a file that the user drops, without uploading it. */

/** The SHA-256 as 64 hexadecimal digits. Rejects when the file cannot be read. */
export async function hashFile(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
