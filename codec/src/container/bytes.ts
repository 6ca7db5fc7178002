/** Binary records defined once: the same list of members reads and writes them. Little-endian. */

/** One member of a record: its size in bytes, and how to read and write it. */
export interface Member<T> {
  readonly size: number;
  read(view: DataView, at: number): T;
  write(view: DataView, at: number, value: T): void;
}

/** The values of a record, by the names of its members. */
export type MemberValues<S> = { [K in keyof S]: S[K] extends Member<infer T> ? T : never };

export const u8: Member<number> = {
  size: 1,
  read: (view, at) => view.getUint8(at),
  write: (view, at, value) => view.setUint8(at, value),
};

export const u16: Member<number> = {
  size: 2,
  read: (view, at) => view.getUint16(at, true),
  write: (view, at, value) => view.setUint16(at, value, true),
};

export const u32: Member<number> = {
  size: 4,
  read: (view, at) => view.getUint32(at, true),
  write: (view, at, value) => view.setUint32(at, value, true),
};

/** A 64-bit count as a number: above 2^53 it is not exact, but it still exceeds every limit. */
export const u64: Member<number> = {
  size: 8,
  read: (view, at) => Number(view.getBigUint64(at, true)),
  write: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
};

/** Exactly `size` bytes. Reading returns a view, not a copy; writing a different number of bytes throws. */
export function fixedBytes(size: number): Member<Uint8Array> {
  return {
    size,
    read: (view, at) => new Uint8Array(view.buffer, view.byteOffset + at, size),
    write: (view, at, value) => {
      if (value.length !== size) {
        throw new RangeError(`${size} bytes expected, not ${value.length}`);
      }
      new Uint8Array(view.buffer, view.byteOffset + at, size).set(value);
    },
  };
}

/** A record of the given members, in the given order. */
export function layout<S extends Record<string, Member<unknown>>>(
  members: S,
): Member<MemberValues<S>> {
  const list: [keyof S & string, Member<unknown>, number][] = [];
  let size = 0;
  for (const [name, member] of Object.entries(members)) {
    list.push([name, member, size]);
    size += member.size;
  }
  return {
    size,
    read: (view, at) =>
      Object.fromEntries(
        list.map(([name, member, offset]) => [name, member.read(view, at + offset)]),
      ) as MemberValues<S>,
    write: (view, at, values) => {
      for (const [name, member, offset] of list) {
        member.write(view, at + offset, values[name]);
      }
    },
  };
}

/** A view of bytes that respects their offset in the underlying buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether `bytes` begin with `start`. */
export function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, at) => byte === bytes[at]);
}

/** Concatenates into a new array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) {
    size += part.length;
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
