import type { Response } from 'supertest';
import { type Caller, messagingApp } from './messaging-app.ts';

const limited = expect.objectContaining({ code: 'rate-limited' });
const text = { to: '+4915112340000', text: 'hello' };
const perMinute = (every: number, byPlan: Record<string, number> = {}) => ({
  messagesPerMinute: { every, byPlan: new Map(Object.entries(byPlan)) },
});
const send = (caller: Caller) => caller.notify('post', '/sms/text', text);
const bulk = (caller: Caller, count: number) =>
  caller.notify('post', '/sms/bulk', { messages: Array.from({ length: count }, () => text) });

function expectLimited({ status, body, headers }: Response): void {
  expect([status, body]).toEqual([429, limited]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
}

describe('messages per minute', () => {
  test('count one by one, however many a call has; a call that is too large counts none', async () => {
    await using service = await messagingApp(perMinute(10));
    const tenant = await service.tenant();
    expect((await bulk(tenant, 8)).status).toBe(202);
    const refused = await bulk(tenant, 3);
    expectLimited(refused);
    expect(refused.body.detail).toBe('A tenant can send 10 messages per minute.');
    expect((await bulk(tenant, 2)).status).toBe(202);
    expectLimited(await send(tenant));
    expectLimited(await bulk(tenant, 11));
    const stored = await service.db.selectFrom('messages').select('id').execute();
    expect(stored).toHaveLength(10);
    expect((await tenant.notify('get', '/messages/msg_none')).status).toBe(404);
  });

  test('are those of the tenant: of all its keys, of sends by hand and of resends; others have their own', async () => {
    await using service = await messagingApp(perMinute(3));
    const [tenant, other] = [await service.tenant(), await service.tenant()];
    const media = { to: '+4915112340000', type: 'image', url: 'https://example.com/a.png' };
    expect((await tenant.notify('post', '/whatsapp/media', media)).status).toBe(202);
    const byHand = await tenant.manage('post', '/v1/messages', { channel: 'sms', ...text });
    expect(byHand.status).toBe(202);
    await service.db.updateTable('messages').set({ status: 'failed' }).execute();
    const resend = () => tenant.manage('post', `/v1/messages/${byHand.body.id}/resend`, {});
    const resent = await resend();
    expect(resent.status).toBe(202);
    expect((await resend()).body.id).toBe(resent.body.id);
    expectLimited(await tenant.manage('post', '/v1/messages', { channel: 'sms', ...text }));
    expectLimited(await send(tenant));
    await service.db.updateTable('messages').set({ status: 'failed' }).execute();
    expectLimited(await resend());
    expect((await send(other)).status).toBe(202);
  });

  test('are limited by the plan, and 0 is no limit', async () => {
    await using service = await messagingApp(perMinute(5, { trial: 1, gold: 0 }));
    const allowed = async (plan: string): Promise<boolean[]> => {
      const tenant = await service.tenant();
      await service.db.updateTable('tenants').set({ plan }).where('id', '=', tenant.tenantId).execute();
      return [(await bulk(tenant, 1)).ok, (await bulk(tenant, 4)).ok, (await bulk(tenant, 1)).ok];
    };
    expect(await allowed('trial')).toEqual([true, false, false]);
    expect(await allowed('standard')).toEqual([true, true, false]);
    expect(await allowed('gold')).toEqual([true, true, true]);
  });
});

describe('requests per minute', () => {
  test('are limited for each session, before the database is asked; other sessions go on', async () => {
    await using service = await messagingApp({ sessionRatePerMinute: 2 });
    const [tenant, other] = [await service.tenant(), await service.tenant()];
    const list = (caller: Caller) => caller.manage('get', '/tenant/api-keys');
    expect([(await list(tenant)).status, (await list(tenant)).status]).toEqual([200, 200]);
    expectLimited(await list(tenant));
    expectLimited(await tenant.manage('post', '/v1/messages', { channel: 'sms', ...text }));
    await service.db.deleteFrom('sessions').where('tenant_id', '=', tenant.tenantId).execute();
    expectLimited(await list(tenant));
    expect((await send(tenant)).status).toBe(202);
    expect((await list(other)).status).toBe(200);
  });

  test('to verify accounts and to test webhooks have their own limits', async () => {
    await using service = await messagingApp({ accountChecksPerMinute: 2, webhookTestsPerMinute: 1 });
    const [tenant, other] = [await service.tenant(), await service.tenant()];
    const setUp = async (caller: Caller) => {
      const [account] = (await caller.manage('get', '/v1/channel-accounts')).body;
      const webhook = await caller.manage('post', '/v1/webhooks', { url: 'https://hooks.example.com/' });
      return {
        verify: () => caller.manage('post', `/v1/channel-accounts/${account.id}/verify`),
        test: () => caller.manage('post', `/v1/webhooks/${webhook.body.id}/test`),
      };
    };
    const [own, others] = [await setUp(tenant), await setUp(other)];
    expect([(await own.verify()).status, (await own.verify()).status]).toEqual([200, 200]);
    expectLimited(await own.verify());
    expect((await own.test()).status).toBe(202);
    expectLimited(await own.test());
    expect([(await others.verify()).status, (await others.test()).status]).toEqual([200, 202]);
    expect((await tenant.manage('get', '/v1/channel-accounts')).status).toBe(200);
  });
});
