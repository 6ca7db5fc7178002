/** Where webhooks may be sent, in every form in which an address can be written or hidden behind a name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddressCheck } from '../../src/webhooks/addresses.ts';
import { createResolve } from '../../src/webhooks/resolve.ts';
import { type NameServer, startNameServer } from './name-server.ts';

let names: NameServer;
beforeAll(async () => {
  names = await startNameServer();
});
afterAll(() => names.stop());

function check(allow: readonly string[] = []) {
  return createAddressCheck(allow, createResolve([names.address]));
}

const refused = { code: 'CALLBACK_URL_NOT_ALLOWED' };

describe('The address of an endpoint', () => {
  test.each([
    'https://8.8.8.8/hook?token=a#part',
    'http://8.8.8.8:8080',
    'https://[2606:4700:4700::1111]/hook',
    // IPv4 on the internet, through NAT64 and mapped
    'https://[64:ff9b::8.8.8.8]/',
    'https://[::ffff:8.8.8.8]/',
  ])('can be %s', async (url) => {
    await expect(check().admit(url)).resolves.toBeUndefined();
  });

  test.each([
    ...['', 'x', '/hook', 'hook.example.org', 'ftp://8.8.8.8/', 'file:///etc/passwd'],
    ...['javascript:alert(1)', 'http:', 'https://', 'ws://8.8.8.8/'],
    ...['https://user@8.8.8.8/', 'https://user:word@8.8.8.8/', 'https://:word@8.8.8.8/'],
    ...[' https://8.8.8.8/', 'https://8.8.8.8/a b', 'https://8.8.8.8/a\tb', 'https://8.8.8.8/\n'],
    ...['https://8.8.8.8/\0', `https://8.8.8.8/${'a'.repeat(2000)}`],
  ])('is refused in the form %j', async (url) => {
    await expect(check().admit(url)).rejects.toMatchObject(refused);
  });

  // promise e2.webhooks.private
  test.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.255.255.254'],
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
    ...['[::]', '[::1]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]'],
    ...['[64:ff9b::127.0.0.1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::8.8.8.8]'],
    ...['[2002:7f00:1::]', '[2001:0:a00:1::]', '[2001:db8::1]', '[100::1]', '[4000::1]'],
    ...['localhost', 'LOCALHOST.', 'a.localhost'],
  ])('is refused with the host %s', async (host) => {
    for (const url of [`http://${host}/`, `https://${host}:8443/hook`])
      await expect(check().admit(url)).rejects.toMatchObject(refused);
  });

  // promise e2.webhooks.private
  test('is allowed on private networks that the operator names, and on no other', async () => {
    const { admit } = check(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32', '::1']);
    const can = ['10.1.2.3', '127.0.0.1', '[::ffff:10.1.2.3]', '[fd00:1::2]', 'localhost'];
    for (const host of can) await expect(admit(`http://${host}/`)).resolves.toBeUndefined();
    for (const host of ['10.2.0.1', '127.0.0.2', '[fd00:2::2]', '169.254.169.254'])
      await expect(admit(`http://${host}/`)).rejects.toMatchObject(refused);
  });

  test('can be localhost when only its IPv4 address is allowed, and is then connected to there alone', async () => {
    const { admit, resolve } = check(['127.0.0.0/8']);
    await expect(admit('http://localhost:8080/hook')).resolves.toBeUndefined();
    await expect(resolve(new URL('http://localhost:8080/hook'))).resolves.toEqual(['127.0.0.1']);
    await expect(admit('http://[::1]/')).rejects.toMatchObject(refused);
  });
});

describe('A host name', () => {
  test('is accepted when its addresses are public', async () => {
    names.names.set('good.test', ['8.8.8.8', '2606:4700:4700::1111']);
    await expect(check().admit('https://good.test/')).resolves.toBeUndefined();
    const found = await check().resolve(new URL('https://GOOD.test./'));
    expect(found.toSorted()).toEqual(['2606:4700:4700::1111', '8.8.8.8']);
  });

  test.each([
    [['8.8.8.8', '127.0.0.1'], '8.8.8.8'],
    [['8.8.8.8', '::1'], '8.8.8.8'],
    [['2606:4700:4700::1111', '169.254.169.254'], '2606:4700:4700::1111'],
  ])('that leads to %j is connected to at %s alone', async (addresses, allowed) => {
    names.names.set('mixed.test', addresses);
    await expect(check().admit('https://mixed.test/')).resolves.toBeUndefined();
    await expect(check().resolve(new URL('https://mixed.test/'))).resolves.toEqual([allowed]);
  });

  test.each([
    [['10.0.0.1']],
    [['127.0.0.1', '::1']],
    [['10.0.0.1', '169.254.169.254']],
    [['::ffff:192.168.0.1']],
  ])('is refused when it leads to %j', async (addresses) => {
    names.names.set('bad.test', addresses);
    await expect(check().admit('https://bad.test/')).rejects.toMatchObject(refused);
    await expect(check().resolve(new URL('https://bad.test/'))).rejects.toMatchObject({
      error: 'ADDRESS_NOT_ALLOWED',
    });
  });

  test('that does not exist now is accepted, and cannot be delivered to', async () => {
    await expect(check().admit('https://later.test/')).resolves.toBeUndefined();
    await expect(check().resolve(new URL('https://later.test/'))).rejects.toMatchObject({
      error: 'NAME_NOT_FOUND',
    });
  });
});
