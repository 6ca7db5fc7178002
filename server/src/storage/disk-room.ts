/** The free space of the disks that Recodery fills, and how much of each must stay free. */
import { statfs } from 'node:fs/promises';

/** A disk, in bytes. `free` is what our account can still write. */
export interface Disk {
  readonly free: number;
  readonly total: number;
}

/** How much of a disk must stay free: this share of it (0..1), and never more than these bytes. */
export interface LeastFree {
  readonly share: number;
  readonly bytes: number;
}

/** The disk of a folder. */
export async function measureDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** The bytes that must stay free on a disk. */
export function bytesToKeep({ total }: Disk, { share, bytes }: LeastFree): number {
  return Math.min(total * share, bytes);
}

/** Whether more may be written to the disk. */
export function hasRoom(disk: Disk, least: LeastFree): boolean {
  return disk.free >= bytesToKeep(disk, least);
}

/** The free share, 0..1, of the fullest of these disks. */
export function freeShareOf(disks: readonly Disk[]): number {
  return Math.min(1, ...disks.map(({ free, total }) => (total === 0 ? 1 : free / total)));
}
