/**
 * Loaded by every engine process before its program: removes what a codec never needs, so that code injected by a hostile file
 * cannot use Node to send signals, open connections or load other code.
 */
import { registerHooks } from 'node:module';

/** The parts of Node that the engine's program uses. */
const allowedBuiltins = ['node:fs', 'node:path', 'node:crypto', 'node:zlib'];

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.startsWith('file:') || allowedBuiltins.includes(resolved.url)) return resolved;
    throw Object.assign(new Error(`import of ${specifier} has been restricted`), {
      code: 'ERR_ACCESS_DENIED',
    });
  },
});

/** Members of `process` for signals, native code, other programs, accounts and the internals of Node. */
const removedMembers = [
  ...['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'execve', 'chdir', 'loadEnvFile'],
  ...['binding', '_linkedBinding', 'getBuiltinModule', '_getActiveHandles', '_getActiveRequests'],
  ...['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups', 'report'],
];
const removedGlobals = ['fetch', 'WebSocket', 'EventSource', 'WebAssembly'];

for (const name of removedMembers) Reflect.deleteProperty(process, name);
for (const name of removedGlobals) Reflect.deleteProperty(globalThis, name);
