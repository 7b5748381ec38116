import { expect, it } from '@jest/globals';
import { startReceiver } from '@notify/testkit';
import type { Harness } from '../harness.ts';

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

export function webhookTests(harness: () => Harness): void {
  it('creates, lists, changes, disables, enables and deletes a webhook', async () => {
    const { run, json } = harness();
    const created = await json<Webhook>(
      'webhooks',
      'create',
      'http://127.0.0.1:9/a',
      '--events',
      'message.sent',
    );
    expect(created).toMatchObject({ secret: expect.stringMatching(/^whsec_/), events: ['message.sent'] });
    const { id } = created;
    const changed = await json(
      'webhooks',
      'update',
      id,
      '--events',
      'message.failed,message.sent',
      '--description',
      'x',
    );
    expect(changed).toMatchObject({ id, events: ['message.failed', 'message.sent'], description: 'x' });
    expect(await json('webhooks', 'disable', id, '--yes')).toMatchObject({ id, isActive: false });
    expect(await json('webhooks', 'enable', id)).toMatchObject({ id, isActive: true });
    const [list, shown, rotated] = await Promise.all([
      run(['webhooks', 'list']),
      run(['webhooks', 'show', id]),
      json<Webhook>('webhooks', 'rotate-secret', id, '--yes'),
    ]);
    expect(list.stdout).toContain(id);
    expect(shown.stdout).toMatch(/URL +http:\/\/127\.0\.0\.1:9\/a/);
    expect(rotated.secret).not.toBe(created.secret);
    expect(await json('webhooks', 'delete', id, '--yes')).toEqual({ id, deleted: true });
    expect(await run(['webhooks', 'show', id])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`error: no webhook ${id} for this token (404 not-found)\n`),
    });
  });

  it('gives a webhook the events that message.* and contact.* stand for', async () => {
    const { json } = harness();
    const create = ['webhooks', 'create', 'http://127.0.0.1:9/b', '--events'];
    const { id, events } = await json<Webhook & { events: string[] }>(...create, 'contact.*,message.sent');
    const contact = ['contact.paired', 'contact.opted-out', 'contact.opted-in'];
    expect(new Set(events)).toEqual(new Set(['message.sent', ...contact]));
    await json('webhooks', 'delete', id, '--yes');
  });

  it('sets, shows and removes the filters of a webhook', async () => {
    const { run, json } = harness();
    const [account] = await json<{ id: string }[]>('accounts', 'list');
    const filters = ['--accounts', account!.id, '--channels', 'sms,sms', '--tags', 'a,b'];
    const created = await json<Webhook>('webhooks', 'create', 'http://127.0.0.1:9/c', ...filters);
    const { id } = created;
    expect(created).toMatchObject({ channelAccountIds: [account!.id], channels: ['sms'], tags: ['a', 'b'] });
    const shown = await run(['webhooks', 'show', id]);
    expect(shown.stdout).toContain(`accounts ${account!.id}; channels sms; tags a, b`);
    const change = ['webhooks', 'update', id, '--accounts', '', '--tags', 'c'];
    expect(await json(...change)).toMatchObject({ channelAccountIds: null, channels: ['sms'], tags: ['c'] });
    await json('webhooks', 'delete', id, '--yes');
  });

  it('makes a webhook take packs, and single requests again', async () => {
    const { run, json } = harness();
    const packs = ['--max-events', '20', '--max-wait-ms', '500'];
    const { id, delivery } = await json<Webhook & { delivery: object }>(
      'webhooks',
      'create',
      'http://127.0.0.1:9/d',
      ...packs,
    );
    expect(delivery).toEqual({ mode: 'batch', maxEvents: 20, maxWaitMs: 500 });
    const shown = await run(['webhooks', 'show', id]);
    expect(shown.stdout).toContain('up to 20 events, after at most 500 ms');
    expect(await json('webhooks', 'update', id, '--single')).toMatchObject({ delivery: { mode: 'single' } });
    const [half, both] = await Promise.all([
      run(['webhooks', 'update', id, '--max-events', '20']),
      run(['webhooks', 'update', id, '--single', ...packs]),
    ]);
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('need each other') });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--single excludes') });
    await json('webhooks', 'delete', id, '--yes');
  });

  it('tests a webhook, lists its deliveries, retries and replays', async () => {
    const { run, json } = harness();
    const receiver = await startReceiver();
    const { id } = await json<Webhook>('webhooks', 'create', receiver.url);
    const { deliveryId } = await json<{ deliveryId: string }>('webhooks', 'test', id);
    await receiver.atLeast(1);
    const deliveries = await until(
      () => json<{ data: { id: string; state: string }[] }>('webhooks', 'deliveries', id),
      ({ data }) => data[0]?.state === 'delivered',
    );
    expect(deliveries.data[0]?.id).toBe(deliveryId);
    const table = await run(['webhooks', 'deliveries', id]);
    expect(table.stdout).toMatch(/webhook\.test\tdelivered\t1\t200 in \d+ ms/);
    expect(await json('webhooks', 'retry', id, deliveryId)).toMatchObject({ deliveryId: expect.any(String) });
    await receiver.atLeast(2);
    const replay = await json<{ since: string; until: string }>('webhooks', 'replay', id, '--since', '1h');
    expect(Date.parse(replay.until) - Date.parse(replay.since)).toBeGreaterThan(3_500_000);
    const told = await run(['webhooks', 'replay', id, '--since', '1h']);
    expect(told.stdout).toMatch(/^Replaying \d+ events? from /);
    await json('webhooks', 'delete', id, '--yes');
    await receiver.close();
  });

  it('changes nothing without an option, and destroys nothing unasked', async () => {
    const { run } = harness();
    const id = 'wh_00000000-0000-0000-0000-000000000000';
    const [nothing, unasked] = await Promise.all([
      run(['webhooks', 'update', id]),
      run(['webhooks', 'delete', id]),
    ]);
    expect(nothing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--url, --events, --accounts, --channels, --tags, --max-events, --single and --description',
      ),
    });
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  });
}

async function until<T>(look: () => Promise<T>, done: (seen: T) => boolean): Promise<T> {
  for (let round = 0; ; round += 1) {
    const seen = await look();
    if (done(seen) || round > 20) return seen;
  }
}
