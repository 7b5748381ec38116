import { recoveryOf } from './recovery.ts';

const probe = (begunAt: number, acceptedAt: number | null, apiUrl = 'one') => ({
  apiUrl,
  begunAt,
  acceptedAt,
});
const at = { apiUrl: 'one', promotedAt: 1_000, now: 10_000 };

test('sends are answered again with the first 202 to one that began after the promotion', () => {
  const probes = [
    probe(900, 1_050),
    probe(1_100, null),
    probe(1_200, 2_500),
    probe(1_300, 2_400),
    probe(1_000, 1_010, 'two'),
  ];
  expect(recoveryOf(probes, at)).toEqual({ answeredMs: 1_400, unsteadyMs: 300 });
});

test('sends are steady when all that begin later have their 202 within a second', () => {
  const probes = [probe(1_000, 1_100), probe(3_000, null), probe(3_100, 4_200), probe(3_200, 4_200)];
  expect(recoveryOf(probes, at)).toEqual({ answeredMs: 100, unsteadyMs: 2_100 });
});

test('a send that began less than a second ago may still be answered in time', () => {
  expect(recoveryOf([probe(9_500, null)], at)).toEqual({ answeredMs: null, unsteadyMs: 0 });
});
