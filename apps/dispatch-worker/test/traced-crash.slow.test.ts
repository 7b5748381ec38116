import {
  looseSpans,
  type OtlpReceiver,
  type OtlpSpan,
  type Receiver,
  type RegisteredTenant,
  registerTenant,
  startOtlpReceiver,
  startReceiver,
  testWith,
  until,
  untilKilled,
} from '@notify/testkit';
import { type Crashes, startCrashes } from './crashes.ts';

const test = testWith('redis-server');

let collector: OtlpReceiver;
let receiver: Receiver;
let crashes: Crashes;
let tenant: RegisteredTenant;
let account: { readonly id: string; readonly callbackUrl: string };

beforeAll(async () => {
  collector = await startOtlpReceiver();
  receiver = await startReceiver();
  crashes = await startCrashes({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  tenant = await registerTenant(crashes.api.url);
  // Without an address for reports in the request, the report comes when the test makes it.
  const settings = {
    ...crashes.gateway.settings,
    body: { type: 'form', fields: { id: '{{id}}', to: '{{to}}', text: '{{text}}' } },
    onUnknownOutcome: 'at-least-once',
  };
  account = await tenant.post('/v1/channel-accounts', { provider: 'http-sms', name: 'gateway', settings });
  await tenant.post('/v1/webhooks', { url: receiver.url });
});
afterAll(async () => {
  await crashes?.[Symbol.asyncDispose]();
  await receiver?.close();
  await collector?.[Symbol.asyncDispose]();
});

const named = (spans: readonly OtlpSpan[], name: string): OtlpSpan[] =>
  spans.filter((one) => one.name === name);

test('the message of a worker that is killed between call and settlement has one connected trace, to its last webhook', async () => {
  let messageId = '';
  const send = async (): Promise<void> => {
    const message = { to: '+4915112345678', text: 'Hello', channelAccountId: account.id };
    ({ id: messageId } = (await tenant.send('sms/text', message)) as { id: string });
  };
  const harm = { does: 'kill-at', checkpoint: 'dispatch-settling' } as const;
  await crashes.harmful.suffer([account.id], harm, send, untilKilled);
  const id = messageId.replace('msg_', '');
  const traceId = id.replaceAll('-', '');
  const own = (): OtlpSpan[] => collector.spans.filter((span) => span.traceId === traceId);
  // The provider has the message, and nobody knows. Another process takes the message over.
  expect(crashes.gateway.ledger()).toMatchObject([{ id, taken: 1 }]);
  await crashes.db
    .updateTable('dispatch_due')
    .set((of) => ({ claimed_until: of.fn<Date>('now') }))
    .where('account_id', '=', account.id)
    .execute();
  await crashes.harmful.sweep();
  await until(async () => named(own(), 'settle').length > 0);
  const answer = await fetch(`${account.callbackUrl}?notify_id=${id}&status=delivered`);
  expect(answer.status).toBe(200);
  await crashes.startPosting();
  await until(async () => named(own(), 'receipt').length > 0 && named(own(), 'post').length >= 2);
  await until(async () => named(own(), 'request').length > 0);
  const spans = own();
  expect(looseSpans(spans)).toEqual([]);
  // The dead worker took its own spans with it. Those of the others are all there.
  expect(named(spans, 'claim').map(({ attributes }) => attributes['notify.claim.state'])).toContain(
    'taken-over',
  );
  const processOf = (name: string) => named(spans, name)[0]!.resource;
  expect(processOf('settle')['service.name']).toBe('notify-dispatch-worker');
  expect(processOf('receipt')['service.name']).toBe('notify-api');
  expect(processOf('post')['service.name']).toBe('notify-webhook-worker');
  expect(new Set(spans.map(({ resource }) => resource['service.instance.id'])).size).toBe(3);
  const posts = receiver.received.map(({ headers }) => headers.traceparent);
  for (const span of named(spans, 'post')) expect(posts).toContain(`00-${traceId}-${span.spanId}-01`);
});
