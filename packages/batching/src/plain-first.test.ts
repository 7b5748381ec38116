import { plainFirst } from './plain-first.ts';

interface Item {
  readonly of: string;
  readonly id: number;
  readonly plain: boolean;
}

const item = (of: string, id: number, plain = true): Item => ({ of, id, plain });

function runner(leavesOut: (one: Item) => boolean = () => false) {
  const plain: number[][] = [];
  const others: number[][] = [];
  let fails = false;
  const run = plainFirst<Item>({
    kind: 'messages',
    idOf: (one) => `${one.of}${one.id}`,
    ownerOf: (one) => one.of,
    isPlain: (one) => one.plain,
    async runPlain(items) {
      plain.push(items.map((one) => one.id));
      return new Set(items.filter((one) => !leavesOut(one)).map((one) => `${one.of}${one.id}`));
    },
    async run(items) {
      others.push(items.map((one) => one.id));
      if (fails) throw new Error('the database is away');
    },
  });
  return { run, plain, others, fail: (does: boolean) => (fails = does) };
}

test('groups with plain items alone go the plain way, all others the general one', async () => {
  const { run, plain, others } = runner();
  await run([item('a', 1), item('b', 2), item('b', 3, false), item('a', 4)]);
  expect([plain, others]).toEqual([[[1, 4]], [[2, 3]]]);
});

test('items that the plain way leaves out go the general way', async () => {
  const { run, plain, others } = runner((one) => one.id === 2);
  await run([item('a', 1), item('a', 2)]);
  expect([plain, others]).toEqual([[[1, 2]], [[2]]]);
});

test('a repeated run stores nothing twice', async () => {
  const { run, plain, others, fail } = runner();
  const items = [item('a', 1), item('b', 2, false)];
  fail(true);
  await expect(run(items)).rejects.toThrow('away');
  fail(false);
  await run(items);
  expect([plain, others]).toEqual([[[1]], [[2], [2]]]);
});

test('two items that settle the same go the general way', async () => {
  const { run, plain, others } = runner();
  await run([item('a', 1), item('a', 1), item('b', 2)]);
  expect([plain, others]).toEqual([[[2]], [[1, 1]]]);
});
