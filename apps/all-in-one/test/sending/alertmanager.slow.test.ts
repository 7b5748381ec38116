import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  describeWith,
  readGuide,
  type Received,
  type Receiver,
  registerTenant,
  type RegisteredTenant,
  type ServiceHere,
  startAlertmanager,
  startReceiver,
  startServiceHere,
  until,
} from '@notify/testkit';
import { parse, stringify } from 'yaml';

/** The configurations of the guide, with times for a test, sent by a real Alertmanager of Debian. */

const guide = readGuide('alerts');

describeWith('prometheus-alertmanager')('alerts by way of a real Alertmanager', () => {
  let gateway: Receiver;
  let service: ServiceHere;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'notify-alertmanager-'));
    gateway = await startReceiver();
    gateway.behave({ status: 202, body: '0: Accepted for delivery' });
    service = await startServiceHere({ env: { BCRYPT_COST: '4' } });
  });
  afterAll(async () => {
    await service?.stop();
    await gateway?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A tenant whose texts go to the gateway. */
  async function connected(): Promise<RegisteredTenant> {
    const tenant = await registerTenant(service.url);
    const url = `${gateway.url}/cgi-bin/sendsms`;
    const settings = { profile: 'kannel', url, username: 'notify', password: 'secret', from: '12345' };
    await tenant.post('/v1/channel-accounts', {
      provider: 'http-sms',
      name: 'gateway',
      settings,
      isDefault: true,
      verify: false,
    });
    return tenant;
  }

  /** The guide's configuration, which posts to the service with the key, as often as Alertmanager can. */
  async function configured(file: string, key: string): Promise<string> {
    const { route, receivers } = parse(guide.take(file)) as {
      route: object;
      receivers: [{ webhook_configs: [{ url: string; http_config: object }] }];
    };
    const keyFile = path.join(folder, `${file}.key`);
    await writeFile(keyFile, key);
    const [webhook] = receivers[0].webhook_configs;
    webhook.url = webhook.url.replace('https://notify.example.com', service.url);
    const often = { group_wait: '0s', group_interval: '1s', repeat_interval: '1s' };
    return stringify({ route: { ...route, ...often }, receivers }).replaceAll(
      '/etc/alertmanager/notify-key',
      keyFile,
    );
  }

  const textOf = ({ url }: Received): string =>
    new URL(url, 'http://gateway.invalid').searchParams.get('text') ?? '';
  const nextText = async (): Promise<string> => textOf(await gateway.next());

  test.each(['alertmanager.yml', 'alertmanager-basic.yml'])(
    '%s: a firing is one text however often it is repeated, and another alert and the end are texts',
    async (file) => {
      const tenant = await connected();
      const texts = gateway.received.length;
      await using alertmanager = await startAlertmanager({
        folder: path.join(folder, path.basename(file, '.yml')),
        configuration: await configured(file, tenant.apiKey),
      });
      const startsAt = new Date().toISOString();
      const node = (instance: string) => ({
        labels: { alertname: 'DiskFull', instance, severity: 'page' },
        annotations: { summary: 'Disk is 91% full' },
        startsAt,
      });

      await alertmanager.post(node('node1'));
      expect(await nextText()).toMatch(
        /^FIRING: DiskFull\ninstance=node1, severity=page\nDisk is 91% full\nhttp:\/\/\S+$/,
      );
      // Alertmanager's own repeats, which it makes every second.
      const repeated = async (): Promise<void> => {
        const { requests } = await alertmanager.notified();
        await until(async () => (await alertmanager.notified()).requests >= requests + 2);
      };
      await repeated();
      expect(gateway.received).toHaveLength(texts + 1);

      await alertmanager.post(node('node1'), node('node2'));
      expect(await nextText()).toMatch(
        /^FIRING \(2\): DiskFull\nseverity=page\n- instance=node1: Disk is 91% full\n- instance=node2: .*\n/,
      );
      await repeated();
      expect(gateway.received).toHaveLength(texts + 2);

      const endsAt = new Date().toISOString();
      await alertmanager.post({ ...node('node1'), endsAt }, { ...node('node2'), endsAt });
      expect(await nextText()).toMatch(
        /^RESOLVED \(2\): DiskFull\nseverity=page\n- resolved: instance=node1: /,
      );
      expect((await alertmanager.notified()).failed).toBe(0);
      expect(gateway.received).toHaveLength(texts + 3);
    },
  );
});
