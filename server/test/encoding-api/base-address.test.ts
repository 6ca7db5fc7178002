/** The base address in results: where the client has called, and never an address that a header makes up. */
import { describe, expect, test } from 'vitest';
import { baseAddressOf } from '../../src/encoding-api/base-address.ts';

const publicUrl = 'https://portal.example.org';

describe('the base address', () => {
  test.each<readonly [string, 'http' | 'https', string, string]>([
    // the public name
    ['portal.example.org', 'http', '/encoding-api/api/x', `${publicUrl}/encoding-api`],
    // a host of its own, whose proxy ends TLS
    ['api.example.org', 'http', '/api/x', 'https://api.example.org'],
    ['api.example.org:8443', 'https', '/api/x', 'https://api.example.org:8443'],
    // the machine itself
    ['127.0.0.1:8080', 'http', '/encoding-api/api/x', 'http://127.0.0.1:8080/encoding-api'],
    ['[::1]:8080', 'http', '/encoding-api/api/x', 'http://[::1]:8080/encoding-api'],
    ['localhost:80', 'http', '/encoding-api/api/x', 'http://localhost:80/encoding-api'],
    // what is no host
    ['a@b', 'http', '/encoding-api/api/x', `${publicUrl}/encoding-api`],
    ['evil.test/path?', 'http', '/encoding-api/api/x', `${publicUrl}/encoding-api`],
    ['evil.test#', 'http', '/encoding-api/api/x', `${publicUrl}/encoding-api`],
    ['', 'http', '/encoding-api/api/x', `${publicUrl}/encoding-api`],
  ])('of a request for %j over %s to %s is %s', (host, protocol, originalUrl, expected) => {
    expect(baseAddressOf({ host, protocol, originalUrl }, publicUrl)).toBe(expected);
  });
});
