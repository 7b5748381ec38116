import { toMessageUsage } from './figures.ts';

test.each([
  [0, 0],
  [1, 0.0001],
  [50_000, 0.5],
  [99_999, 0.9999],
  [100_000, 1],
])('of 100,000 messages, %i that are delivered are the rate %s', (delivered, rate) => {
  const figure = { startsAt: null, channel: 'sms', detail: '' } as const;
  const figures = [
    { ...figure, measure: 'accepted', total: 100_000 },
    { ...figure, measure: 'sent', total: 100_000 },
    { ...figure, measure: 'delivered', total: delivered },
  ];
  expect(toMessageUsage(figures, ['sms'], []).totals.deliveryRate).toBe(rate);
});
