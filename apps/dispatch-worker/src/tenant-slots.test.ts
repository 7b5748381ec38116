import { createTenantSlots } from './tenant-slots.ts';

/** Slots of which these tenants have taken as many as their names are repeated. */
function taken(total: number, names: string) {
  const slots = createTenantSlots(total);
  for (const name of names) slots.take(name);
  return slots;
}

const whoYields = (total: number, names: string, waiting: string) =>
  [...taken(total, names).thatYieldTo(new Set(waiting))].join('');

test('a tenth of the slots, at least one, is kept from each tenant', () => {
  const perTenant = (total: number) => createTenantSlots(total).shares().perTenant;
  expect([200, 20, 4, 2, 1].map(perTenant)).toEqual([180, 18, 3, 1, 1]);
});

test('a tenant is full with all that it may have, and all are when no slot is left', () => {
  const isFull = (names: string) => taken(4, names).isFullForAny();
  expect(['', 'aa', 'aab', 'aaa', 'aabc'].map(isFull)).toEqual([false, false, false, true, true]);
});

test('tenants that were served are told with what they hold, the least recently served first', () => {
  const slots = taken(4, 'aba');
  slots.giveBack('b');
  expect(slots.free).toBe(2);
  expect(slots.shares().tenants).toEqual([
    { tenantId: 'b', held: 0, servedAt: 2 },
    { tenantId: 'a', held: 2, servedAt: 3 },
  ]);
});

test.each([
  ['nobody, while nobody waits', 4, 'aaab', '', ''],
  ['nobody, while a slot is free', 4, 'aab', 'c', ''],
  ['a tenant with more than its share', 4, 'aaab', 'c', 'a'],
  ['no tenant with its share or less', 4, 'aabc', 'a', 'a'],
  ['no tenant to its own account that finds a slot', 10, 'aaaaaaaa', 'a', ''],
  ['a tenant that may have no more, to its own account', 10, 'aaaaaaaaa', 'a', 'a'],
  ['all, where there are more tenants than slots', 2, 'ab', 'c', 'ab'],
])('%s yields', (_, total, names, waiting, expected) => {
  expect(whoYields(total, names, waiting)).toBe(expected);
});

test('of tenants without a slot, those served last are remembered', () => {
  const slots = createTenantSlots(4);
  for (let index = 0; index < 3_000; index += 1) {
    slots.take(`t${index}`);
    slots.giveBack(`t${index}`);
  }
  const { tenants } = slots.shares();
  expect([tenants.length, tenants.at(-1)!.tenantId]).toEqual([201, 't2999']);
});
