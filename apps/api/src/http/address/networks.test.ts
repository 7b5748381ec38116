import { networkOf, networksOf } from './networks.ts';

test.each([
  ['192.0.2.7', '192.0.2', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0', '2001:db8:0:0'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1', '2001:db8:1:2'],
  ['::1', '0:0:0', '0:0:0:0'],
])('%s is in %s, and in it in %s', (address, wide, narrow) => {
  expect(networksOf(address)).toEqual({ wide, narrow });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1'],
  ['2001:db8:1:fedc::1', '2001:db8:1'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
