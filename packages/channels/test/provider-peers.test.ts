import { type PeerCallback, peers, postedBy } from '@notify/testkit';
import { adapters, type CallbackRequest, checkSettings } from '../src/index.ts';

const publicUrl = 'https://notify.example/callbacks/p/a/s';

test('every provider that is called by HTTP has its peer in packages/testkit/src/peers/peers.ts', () => {
  const called = [...adapters.values()].filter(
    ({ id, capabilities }) => id !== 'sandbox' && capabilities.linking !== true,
  );
  expect(Object.keys(peers).toSorted()).toEqual(called.map(({ id }) => id).toSorted());
});

describe.each(Object.entries(peers))('%s', (provider, peer) => {
  const adapter = adapters.get(provider)!;
  const accounts = peer.accounts('https://gw.example');

  test('the accounts of the peer are valid', () => {
    for (const account of accounts) expect(checkSettings(adapter, account)).toEqual([]);
  });

  test('a callback that the peer signs is the provider’s', () => {
    for (const settings of accounts) {
      const kinds = peer
        .callbacks('01912d68-783e-7a52-9d3a-6c4f2b1e8a90', 'delivered', 'text')
        .map((callback) => adapter.parseCallback?.(requestOf(callback), settings).kind);
      expect(kinds).not.toContain('forged');
      expect(kinds).toContain('receipts');
    }
  });

  function requestOf(callback: PeerCallback): CallbackRequest {
    const { method, query } = callback;
    const search = new URLSearchParams(query);
    const url = query === undefined ? publicUrl : `${publicUrl}?${search.toString()}`;
    const { type, body: text } = postedBy(callback);
    const body = Buffer.from(method === 'GET' ? '' : text);
    const headers = { 'content-type': type, ...peer.sign?.(url, body) };
    return {
      method,
      url,
      publicUrl: url,
      query: search,
      headers,
      body,
      secretMatches: true,
      address: '192.0.2.1',
    };
  }
});
