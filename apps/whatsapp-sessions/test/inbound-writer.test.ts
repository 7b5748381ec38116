import { randomBytes } from 'node:crypto';
import { settingsPlace } from '@notify/db/accounts';
import { createLog, createSecrets } from '@notify/runtime';
import type { TestTenant } from '@notify/testkit';
import { createInboundWriter } from '../src/inbound/writer.ts';
import { hurried, openWorld, secrets, type World } from './world.ts';

let world: World;
let account: TestTenant;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
  account = await world.linked('15550500091', hurried);
});

afterAll(() => world[Symbol.asyncDispose]());

describe('what an account receives', () => {
  const [person, group] = ['+15550500012', '120363000000000002@g.us'];

  /** Has a person and a group write to the account with these settings. Resolves with what was handed on. */
  async function heardWith(settings: object): Promise<{ from: string; words: number }[]> {
    const { tenantId, accountId } = account;
    await setSettings(settings);
    const heard: { from: string; words: number }[] = [];
    const write = createInboundWriter({
      db: world.db,
      log: createLog({ logLevel: 'silent' }, 'test'),
      secrets,
      intake: {
        async store({ tenantId: of, keywords }, { inbound }) {
          expect(of).toBe(tenantId);
          heard.push(...inbound.map(({ from }) => ({ from, words: keywords.stop.length })));
          return [];
        },
      },
    });
    for (const from of [person, group]) {
      const message = { from, to: null, sentAt: null, contact: null, replyTo: null, file: null };
      const said = { externalId: from, type: 'text' as const, body: { text: 'STOP' } };
      await write(accountId, { inbound: { ...message, ...said }, moved: null });
    }
    return heard;
  }

  async function setSettings(settings: object): Promise<void> {
    const { tenantId, accountId } = account;
    const sealed = JSON.stringify({ settings: { ...hurried, ...settings }, callbackSecret: 'secret' });
    await world.db
      .updateTable('channel_accounts')
      .set({ settings: secrets.seal(sealed, settingsPlace(tenantId, accountId)) })
      .where('id', '=', accountId)
      .execute();
  }

  const keywords = { stop: ['STOP'] };
  test.each([
    [{}, [person]],
    [{ inbound: 'people' }, [person]],
    [{ inbound: 'all' }, [person, group]],
    [{ inbound: 'none' }, []],
  ])('with %j: from %j', async (settings, from) => {
    expect((await heardWith({ ...settings, keywords })).map((one) => one.from)).toEqual(from);
  });

  test('in a group no word is about consent', async () => {
    expect(await heardWith({ inbound: 'all', keywords })).toEqual([
      { from: person, words: 1 },
      { from: group, words: 0 },
    ]);
  });
});

describe('a message that cannot be stored as it is', () => {
  const inbound = {
    externalId: 'REFUSED',
    from: '+15550500010',
    to: null,
    sentAt: null,
    type: 'text' as const,
    body: { text: 'bad' },
    contact: null,
    replyTo: null,
    file: null,
  };
  const unreadable = { ...inbound, type: 'unsupported', body: { kind: 'unreadable' } };

  /** Stores the message where texts fail. Resolves with what was stored. */
  async function writeWhere(failure: Error | null, keys = secrets): Promise<unknown[]> {
    const stored: unknown[] = [];
    const write = createInboundWriter({
      db: world.db,
      log: createLog({ logLevel: 'silent' }, 'test'),
      secrets: keys,
      intake: {
        async store(_, received) {
          if (failure !== null && received.inbound[0]!.type === 'text') throw failure;
          stored.push(received.inbound[0]);
          return [];
        },
      },
    });
    await write(account.accountId, { inbound, moved: null });
    return stored;
  }

  const failing = (code: string) => Object.assign(new Error('refused'), { code });

  test('keeps its place, if the database refuses it or our code is at fault', async () => {
    const invalidText = failing('22021');
    expect(await writeWhere(invalidText)).toEqual([unreadable]);
    expect(await writeWhere(new TypeError('a bug'))).toEqual([unreadable]);
  });

  test('is not given up while the database is away', async () => {
    const shuttingDown = failing('57P01');
    await expect(writeWhere(shuttingDown)).rejects.toThrow('refused');
  });

  test('is stored, if the settings of its account cannot be read', async () => {
    const others = createSecrets([{ version: 1, key: randomBytes(32) }]);
    expect(await writeWhere(null, others)).toEqual([inbound]);
  });
});
