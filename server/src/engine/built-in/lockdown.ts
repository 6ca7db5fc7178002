/**
 * Loaded by every engine process before its program: removes what a codec never needs, so that code injected by a
 * hostile file cannot use Node to send signals, open connections or load other code. What is kept is listed: a newer
 * version of Node may add to the rest.
 */
import { registerHooks } from 'node:module';

/** The parts of Node that the engine's program uses. */
const allowedBuiltins = ['node:fs', 'node:path', 'node:crypto', 'node:zlib'];

let isLoaded = false;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = isLoaded ? null : next(specifier, context);
    if (resolved?.url.startsWith('file:')) return resolved;
    if (resolved !== null && allowedBuiltins.includes(resolved.url)) return resolved;
    throw Object.assign(new Error(`import of ${specifier} has been restricted`), {
      code: 'ERR_ACCESS_DENIED',
    });
  },
});

/** From now on nothing can be imported: loading a file would give other code Node's own loader. */
export function endLoading(): void {
  isLoaded = true;
}

/**
 * The members of `process` that the program, and Node itself, use. Not its streams: from their constructors, code could
 * make sockets.
 */
const keptMembers: ReadonlySet<string> = new Set([
  ...['version', 'versions', 'arch', 'platform', 'release', 'features', 'title', 'pid', 'config'],
  ...['argv', 'argv0', 'execArgv', 'execPath', 'env', 'cwd', 'permission', 'memoryUsage', 'hrtime'],
  ...['exit', 'exitCode', 'reallyExit', '_exiting', 'abort', 'uptime', 'domain', 'emitWarning'],
  ...['_events', '_eventsCount', '_maxListeners', '_fatalException', '_tickCallback', 'nextTick'],
]);

/**
 * The globals that are kept: those of the language, and what handles texts and bytes. Not those of the web: `Response`
 * alone loads a client for the network.
 */
const keptGlobals: ReadonlySet<string> = new Set([
  ...['globalThis', 'undefined', 'NaN', 'Infinity', 'process', 'Buffer', 'eval'],
  ...['Object', 'Function', 'Boolean', 'Symbol', 'Number', 'BigInt', 'Math', 'Date', 'String'],
  ...['RegExp', 'JSON', 'Intl', 'Reflect', 'Proxy', 'Promise', 'Iterator', 'Atomics'],
  ...['Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry'],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError'],
  ...['TypeError', 'URIError', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack'],
  ...['ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array'],
  ...['Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array'],
  ...['parseInt', 'parseFloat', 'isNaN', 'isFinite', 'escape', 'unescape'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'],
  ...['TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'queueMicrotask'],
]);

/** Deletes all other properties. Those that cannot be deleted are values. */
function keepOnly(object: object, kept: ReadonlySet<string>): void {
  for (const name of Object.getOwnPropertyNames(object))
    if (!kept.has(name)) Reflect.deleteProperty(object, name);
}

keepOnly(process, keptMembers);
keepOnly(globalThis, keptGlobals);
