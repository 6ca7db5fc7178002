/** The base address in results: the one that the client has called, and never an invented address from a header. */
import { describe, expect, test } from 'vitest';
import { type AddressedRequest, baseAddressOf } from '../../src/encoding-api/base-address.ts';

const publicUrl = 'https://portal.example.org';
const known = { publicUrl, encodingApiHosts: ['api.example.org', 'other.example.org:81'] };
const prefix = '/encoding-api';

function request(parts: Partial<AddressedRequest>): AddressedRequest {
  const { host = 'portal.example.org' } = parts;
  const usual = { protocol: 'http', ip: '192.0.2.1', originalUrl: `${prefix}/api/x` } as const;
  return { host, headers: { host }, ...usual, ...parts };
}

describe('the base address', () => {
  test.each<readonly [string, Partial<AddressedRequest>, string]>([
    ['the public host', {}, `${publicUrl}${prefix}`],
    ['the public host in capitals', { host: 'PORTAL.example.org' }, `${publicUrl}${prefix}`],
    // its proxy terminates TLS
    [
      'a listed host',
      { host: 'api.example.org', originalUrl: '/api/x' },
      'https://api.example.org',
    ],
    [
      'a listed host with the prefix',
      { host: 'api.example.org' },
      `https://api.example.org${prefix}`,
    ],
    [
      'a listed host at any port',
      { host: 'api.example.org:8443', originalUrl: '/api/x', protocol: 'https' },
      'https://api.example.org:8443',
    ],
    [
      'a listed host at its port',
      { host: 'other.example.org:81' },
      `https://other.example.org:81${prefix}`,
    ],
    [
      'a listed host, passed on by a proxy under another name',
      { host: 'api.example.org', headers: { host: 'backend:8080' } },
      `https://api.example.org${prefix}`,
    ],
    [
      'the machine itself',
      { host: '127.0.0.1:8080', ip: '127.0.0.1' },
      `http://127.0.0.1:8080${prefix}`,
    ],
    ['the machine itself by IPv6', { host: '[::1]:8080', ip: '::1' }, `http://[::1]:8080${prefix}`],
  ])('of a request to %s is where it was sent', (_, parts, expected) => {
    expect(baseAddressOf(request(parts), known)).toBe(expected);
  });

  // promise e2.base.known
  test.each<readonly [string, Partial<AddressedRequest>]>([
    ['an unknown host', { host: 'evil.test' }],
    ['another port of a listed host', { host: 'other.example.org:82' }],
    ['a loopback host that was called from elsewhere', { host: '127.0.0.1:8080' }],
    [
      'an unknown host that a proxy passes on',
      { host: 'evil.test', headers: { host: '127.0.0.1:8080' }, ip: '127.0.0.1' },
    ],
    ['credentials', { host: 'a@b' }],
    ['credentials before a loopback host', { host: 'a@127.0.0.1:80', ip: '127.0.0.1' }],
    ['a path', { host: 'evil.test/path?' }],
    ['a path after a loopback host', { host: '127.0.0.1/x:80', ip: '127.0.0.1' }],
    ['a loopback name with a path', { host: 'evil.test/x.localhost', ip: '127.0.0.1' }],
    ['a fragment', { host: 'evil.test#' }],
    ['nothing', { host: '' }],
  ])('of a request that names %s is the public one', (_, parts) => {
    expect(baseAddressOf(request(parts), known)).toBe(publicUrl + prefix);
  });
});
