import { blockList, isPrivate, isSpecial, liesIn } from './addresses.ts';

// The first and last address of each block in IANA's registries, and the public addresses just outside.
const special = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254
  172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0
  192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.0
  255.255.255.255
  :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:0:8.8.8.8 100::1 100:0:0:1::1 64:ff9b:1::1 64:ff9b:1::8.8.8.8 2001::1 2001:2::1
  2001:1ff:ffff::1 2001:db8::1 2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fdff::1 fe80::1 fe80::1%eth0
  fec0::1 ff02::1
  ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 64:ff9b::10.0.0.1 2002:7f00:1:: 2002:a9fe:a9fe::1
  2002:c0a8:101::1
  168.63.129.16 ::ffff:168.63.129.16 64:ff9b::168.63.129.16 2002:a83f:8110::1 161.26.0.10 166.8.0.1 166.11.255.255
  199.36.153.4 199.36.153.11 2600:2d00:2:1000::1 2600:2d00:2:2000::1 fd00:ec2::254`;
const open = `
  1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2001:200::1 2001:4860:4860::8888 2606:4700::1 2606:4700::127.0.0.1 2a00::1 3ffe::1 3fff:1000::1
  ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
  168.63.129.15 168.63.129.17 161.25.255.255 161.27.0.0 166.7.255.255 166.12.0.0 199.36.153.3 199.36.153.12
  2600:2d00:2:3000::1`;

test.each(special.trim().split(/\s+/))('%s is special', (address) => {
  expect(isSpecial(address)).toBe(true);
});

test.each(open.trim().split(/\s+/))('%s is public', (address) => {
  expect(isSpecial(address)).toBe(false);
});

test.each(['', 'localhost', '127.1', '0x7f.1', '2130706433', '1.2.3', '1.2.3.4.5', ':::'])(
  'what is no address (%p) is special',
  (text) => {
    expect(isSpecial(text)).toBe(true);
  },
);

test('loopback and private networks are private, addresses of cloud metadata are not', () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.20.0.1',
    '192.168.1.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ])
    expect([address, isPrivate(address)]).toEqual([address, true]);
  const metadata = [
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:a9fe:a9fe::1',
    'fd00:42::42',
  ];
  for (const address of ['169.254.169.254', '0.0.0.0', '100.64.0.1', 'fe80::1', '8.8.8.8', ...metadata])
    expect([address, isPrivate(address)]).toEqual([address, false]);
});

test('a block contains its own addresses only, including their IPv4-mapped form', () => {
  const list = blockList('10.1.0.0/16 fd00::/8 192.168.0.7');
  for (const address of ['10.1.255.255', '::ffff:10.1.0.1', 'fd12::1', '192.168.0.7'])
    expect([address, liesIn(address, list)]).toEqual([address, true]);
  for (const address of ['10.2.0.0', '192.168.0.8', 'fe00::1', 'gw.local'])
    expect([address, liesIn(address, list)]).toEqual([address, false]);
});
