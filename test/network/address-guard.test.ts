import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLoopbackHost, vetTarget } from '../../src/network/address-guard.ts';

class Forbidden extends Error {}
const forbidden = (reason: string) => new Forbidden(reason);
const NONE: readonly string[] = [];
const LISTED = ['10.1.0.0/16', '127.0.0.1/32', 'fd12::/16', '169.254.0.0/16'];
const EVERYTHING = ['0.0.0.0/0', '::/0'];

function isAllowed(url: string, networks: readonly string[]): boolean {
  try {
    vetTarget(url, networks, forbidden);
    return true;
  } catch (error) {
    assert.ok(error instanceof Forbidden);
    return false;
  }
}

const PUBLIC = [
  'https://example.com/hook?x=1',
  'http://example.com:8080',
  'http://93.184.215.14/',
  'http://[2606:2800:21f:cb07::1]/',
  'http://[::ffff:93.184.215.14]/',
  'http://localhost.example.com/',
  // What would be 127.0.0.1 if fewer bytes in front of it had to be zero.
  'http://[2000::7f00:1]/',
  'http://[::1:7f00:1]/',
  'http://[::1.2.3.4]/',
];

const INNER = [
  'http://127.0.0.1/',
  'http://127.8.9.1:99/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[fd12:3456::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[::ffff:0:127.0.0.1]/',
  // Odd notations of 127.0.0.1, made plain by the URL parser.
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http://%31%32%37.0.0.1/',
];

const NEVER = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[::ffff:0:169.254.169.254]/',
  'http://[::169.254.169.254]/',
  'http://[::0.1.2.3]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  'http://224.0.0.1/',
  'http://[ff02::1]/',
  'http://255.255.255.255/',
  'http://240.0.0.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://user@example.com/',
  'http://user:password@example.com/',
  'http://:password@example.com/',
  'example.com',
  'http://',
  '',
];

describe('targets vetted by their text', () => {
  for (const url of PUBLIC) {
    test(`${url} is allowed`, () => assert.ok(isAllowed(url, NONE)));
  }
  for (const url of INNER) {
    test(`${url} is allowed only where its network is`, () => {
      assert.ok(!isAllowed(url, NONE));
      assert.ok(isAllowed(url, EVERYTHING));
    });
  }
  for (const url of NEVER) {
    test(`${JSON.stringify(url)} is always refused`, () => {
      for (const networks of [NONE, LISTED, EVERYTHING]) assert.ok(!isAllowed(url, networks));
    });
  }
});

test('an allowed network contains its addresses only', () => {
  const table: [string, boolean][] = [
    ['http://10.1.255.1/', true],
    ['http://10.2.0.1/', false],
    ['http://127.0.0.1/', true],
    ['http://localhost/', true],
    ['http://127.0.0.2/', false],
    ['http://[::ffff:10.1.0.1]/', true],
    ['http://[fd12::5]/', true],
    ['http://[fd13::5]/', false],
    ['http://[::1]/', false],
  ];
  for (const [url, allowed] of table) assert.equal(isAllowed(url, LISTED), allowed, url);
});

test('the refusal states which rule applies', () => {
  for (const [url, reason] of [
    ['http://[64:ff9b::169.254.169.254]/', /the service never calls these/],
    ['http://[::ffff:10.2.0.1]/', /WEBHOOK_ALLOWED_NETWORKS/],
    ['ftp://example.com/', /must be http or https/],
    ['http://user@example.com/', /user name or password/],
    ['nothing', /not a URL/],
  ] as const)
    assert.throws(() => vetTarget(url, NONE, forbidden), reason);
});

test('host names of this machine', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1']) {
    assert.ok(isLoopbackHost(host), host);
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.com', '192.168.1.1']) {
    assert.ok(!isLoopbackHost(host), host);
  }
});

test('port 0 is refused, since clients would use the default port instead', () => {
  for (const url of ['http://127.0.0.1:0/', 'https://example.com:0/x', 'http://[2001:db8::1]:00/'])
    assert.throws(() => vetTarget(url, ['127.0.0.0/8'], forbidden), /port is 0/, url);
});
