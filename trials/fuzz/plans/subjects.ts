import fc from 'fast-check';
import type { Operation, Parameter, Schema } from '../api.ts';
import type { Headers } from '../client.ts';
import { type Fields, valuesOf } from './values.ts';

export interface Provider {
  readonly id: string;
  readonly settings: object;
  /** Settings known to work; absent for a provider that nobody has given any. */
  readonly good?: object;
}

/** Operations that end the session or the tenant they are called with, and so need one of their own. */
const consuming = new Set(['auth.logout', 'auth.changePassword', 'auth.deleteTenant', 'auth.endSession']);

/** The credential the operation asks for, by name. */
export function credentialOf({ id, credential }: Operation): Headers {
  if (credential === 'api-key') return [['x-api-key', '<<my.apiKey>>']];
  if (credential === 'bearer')
    return [['authorization', `Bearer <<${consuming.has(id) ? 'new.tenant' : 'my'}.token>>`]];
  return [];
}

/** The credentials that the operation takes. */
export function credentialsOf(operation: Operation): fc.Arbitrary<Headers> {
  const usual = fc.constant(credentialOf(operation));
  if (!operation.takesTokens) return usual;
  const token: Headers = [['authorization', 'Bearer <<my.serviceToken>>']];
  return fc.oneof({ weight: 2, arbitrary: usual }, { weight: 1, arbitrary: fc.constant(token) });
}

/** Paths of the operation with its parameters filled in: ids of the asking tenant, or of the other one. */
export function pathsOf(operation: Operation, whose: 'my' | 'other'): fc.Arbitrary<string> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  // No cursor can be made up; `oddQueries` has some all the same.
  const inQuery = operation.parameters.filter(
    ({ in: place, name }) => place === 'query' && name !== 'cursor',
  );
  const values = fc.record(
    Object.fromEntries(inPath.map((parameter) => [parameter.name, pathValue(operation, parameter, whose)])),
  );
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, queryValue(name, schema).map(String)])),
    { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
  );
  return fc.tuple(values, query).map(([filled, asked]) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? '');
    const search = new URLSearchParams(asked).toString();
    return search === '' ? path : `${path}?${search}`;
  });
}

/** Recipients, templates that exist, and times of the last weeks, where something may have happened, beside any others. */
function queryValue(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (name === 'to')
    return fc.oneof({ weight: 4, arbitrary: recipients }, { weight: 1, arbitrary: valuesOf(schema) });
  if (name === 'template') return fc.constantFrom('appointment_reminder', 'login_code', 'none');
  if (name === 'repeat') return fc.constantFrom('1m', '4h', '1d12h', '8d');
  const isTime = name === 'from' || name === 'until';
  return isTime ? fc.oneof(shared.since!, valuesOf(schema)) : valuesOf(schema);
}

function pathValue(
  operation: Operation,
  { name, schema }: Parameter,
  whose: 'my' | 'other',
): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String));
  if (name === 'recipient') return recipients.map(encodeURIComponent);
  const kind = name === 'deliveryId' ? 'delivery' : kindOf(operation);
  if (kind === undefined) return fc.uuid();
  const used = kind === 'delivery' ? 'my' : usedUp(operation, kind);
  return fc.constant(`<<${whose === 'other' ? 'other' : used}.${kind}>>`);
}

/** What the `{id}` of a path names. */
function kindOf({ path, method }: Operation): string | undefined {
  const kinds = {
    '/v1/webhooks': 'webhook',
    '/v1/channel-accounts': 'account',
    '/v1/consent': 'account.sms',
    '/tenant/api-keys': 'key',
    '/tenant/service-tokens': 'token.id',
    '/auth/sessions': 'session',
    '/v1/notify/files': 'file.key',
    '/v1/files': 'file',
    '/v1/notify/messages': 'message',
    '/v1/messages': 'message',
    '/v1/notify/groups': 'group',
    '/v1/groups': 'group',
    '/v1/conversations': 'conversation',
    '/v1/notify/conversations': 'conversation',
    '/v1/notify/verifications': 'verification',
    '/v1/verifications': 'verification',
  };
  if (/^\/v1\/channel-accounts\/.*link\b/.test(path)) return 'account.linkable';
  if (/^\/v1\/channel-accounts\/.*templates\b/.test(path)) return 'account.sms';
  if (path.endsWith('/simulate-inbound')) return 'account.sms';
  if (path.endsWith('/pairings')) return 'account.bot';
  if (path.endsWith('/media')) return 'message.file';
  if (path.endsWith('messages/{id}/cancel')) return 'message.waiting';
  if (path === '/v1/messages/{id}' && method === 'PATCH') return 'message.waiting';
  if (path === '/v1/messages/{id}/resend') return 'message.failed';
  return Object.entries(kinds).find(([prefix]) => path.startsWith(prefix))?.[1];
}

/** What an operation changes is made for it, so that all others find theirs as it was. */
function usedUp({ method, path }: Operation, kind: string): string {
  if (kind === 'session') return 'new.tenant';
  // What is known of a recipient concerns nobody else.
  if (path.startsWith('/v1/consent')) return 'my';
  const changes = method === 'DELETE' || method === 'PATCH' || /(rotate|rotate-secret|cancel)$/.test(path);
  return changes ? 'new' : 'my';
}

const digits = (count: number) =>
  fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: count, maxLength: count });
const phones = digits(7).map((rest) => `+49170${rest}`);
const recipients = fc.oneof(
  { weight: 8, arbitrary: phones },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 52), max: 2 ** 52 }).map(String) },
  { weight: 1, arbitrary: fc.stringMatching(/^@[a-z]{5,20}$/) },
);
const fileNames = fc.stringMatching(/^[a-z0-9%._-]{0,20}$/);
/** Nothing leaves this machine: the stand-in, or a name that does not exist. */
const urls = fileNames.chain((name) =>
  fc.constantFrom(`<<outside>>/${name}`, `https://hooks.invalid/${name}`),
);

/** Becomes the account of the channel that the path names. */
const ofPathsChannel = '<<my.account.channel>>';

/** Templates that the sandbox has. */
const sandboxTemplates = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.stringMatching(/^[0-9]{6}$/).map((code) => ({
      name: 'login_code',
      language: 'en',
      parameters: { body: [code], buttons: [{ index: 0, code }] },
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.string(), fc.string()).map(([day, first_name]) => ({
      name: 'appointment_reminder',
      language: 'en',
      parameters: { header: { text: day }, body: { first_name, time: '10:30' } },
    })),
  },
);

/** Mostly none, because it must be of the channel of its route. */
const ofAnyChannel = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('<<my.account.sms>>', '<<my.account.telegram>>', '<<my.account>>'),
  },
);

const shared: Fields = {
  phone: phones,
  to: recipients,
  url: urls,
  channelAccountId: fc.constantFrom(
    ofPathsChannel,
    ofPathsChannel,
    ofPathsChannel,
    '<<my.account.telegram>>',
    '<<my.account>>',
  ),
  // A null counts as absent, so most sends answer nothing and are accepted.
  replyTo: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom('<<my.message.file>>', '<<my.message>>') },
  ),
  messageId: fc.constantFrom('<<my.message.file>>', '<<my.message>>'),
  channelAccountIds: fc.uniqueArray(
    fc.constantFrom('<<my.account.sms>>', '<<my.account.telegram>>', '<<my.account>>'),
    { minLength: 1 },
  ),
  expiresAt: fc
    .integer({ min: -60, max: 365 * 86_400 })
    .map((seconds) => new Date(Date.now() + seconds * 1_000).toISOString()),
  allowedIps: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.ipV4() },
      { weight: 4, arbitrary: fc.tuple(fc.ipV4(), fc.nat({ max: 32 })).map((parts) => parts.join('/')) },
      { weight: 4, arbitrary: fc.tuple(fc.ipV6(), fc.nat({ max: 128 })).map((parts) => parts.join('/')) },
      { weight: 1, arbitrary: fc.string({ maxLength: 49 }) },
    ),
    { minLength: 1, maxLength: 20 },
  ),
  // From a minute and a half ago, which is too late, to 31 days ahead, which is too early.
  sendAt: fc
    .integer({ min: -90, max: 31 * 86_400 })
    .map((seconds) => new Date(Date.now() + seconds * 1_000).toISOString()),
  since: fc
    .integer({ min: 0, max: 40 * 86_400 })
    .map((seconds) => new Date(Date.now() - seconds * 1_000).toISOString()),
};

function linkTokens(purpose: 'password' | 'email'): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(`<<new.tenant.link.${purpose}>>`) },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Fields that only make sense with a value somebody knows. */
const known: Readonly<Record<string, Fields>> = {
  'auth.login': {
    email: fc.constantFrom('<<my.email>>', '<<other.email>>', 'nobody@fuzz.example'),
    password: fc.oneof(
      { weight: 3, arbitrary: fc.constant('<<my.password>>') },
      { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
    ),
  },
  'auth.refresh': {
    refreshToken: fc.oneof(
      { weight: 3, arbitrary: fc.constant('<<new.tenant.refresh>>') },
      { weight: 1, arbitrary: fc.string() },
    ),
  },
  'auth.changePassword': {
    currentPassword: fc.oneof(
      { weight: 3, arbitrary: fc.constant('<<new.tenant.password>>') },
      { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
    ),
  },
  'channelAccounts.simulateInbound': { from: phones },
  'verifications.check': {
    code: fc.oneof(
      { weight: 1, arbitrary: fc.constant('000000') },
      { weight: 2, arbitrary: fc.stringMatching(/^[0-9]{4,10}$/) },
    ),
  },
  'verifications.start': {
    to: fc.oneof({ weight: 1, arbitrary: phones }, { weight: 2, arbitrary: fc.constant('+491709954321') }),
    channel: fc.constantFrom('sms', 'telegram'),
    routes: fc.constant(null),
    brand: fc.oneof(fc.constantFrom('Acme', 'Åkerlund & Söner'), fc.string({ minLength: 1, maxLength: 30 })),
    locale: fc.constantFrom('de-AT', 'en', 'pt_BR', 'tlh'),
  },
  'verificationLimits.change': {
    prefix: fc.constantFrom('+49', '+1', '+44', '+999'),
  },
  'auth.resetPassword': { token: linkTokens('password') },
  'auth.verifyEmail': { token: linkTokens('email') },
  'auth.deleteTenant': {
    password: fc.oneof(
      { weight: 1, arbitrary: fc.constant('<<new.tenant.password>>') },
      { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
    ),
  },
};

/** A body's text, as suits the channel it is for: its account, and numbers without a plus for telegram. */
export function suitChannel(path: string, body: string): string {
  const channel = channelOf(path, body);
  if (channel === undefined) return body;
  const own = body.replaceAll(/<<(my|other)\.account\.channel>>/g, `<<$1.account.${channel}>>`);
  return channel === 'telegram' ? own.replaceAll('"+49170', '"49170') : own;
}

/** The channel in the path of a send, or in the body of one by hand; what is sent again was an sms. */
function channelOf(path: string, body: string): string | undefined {
  if (/^\/v1\/messages\/.*resend/.test(path)) return 'sms';
  const named = path.startsWith('/v1/messages') ? /"channel":"(\w+)"/.exec(body) : null;
  return (named ?? /^\/v1\/notify\/(\w+)\//.exec(path))?.[1];
}

/** Bodies that the document allows. */
export function bodiesOf(operation: Operation, providers: readonly Provider[]): fc.Arbitrary<unknown> {
  if (operation.body === null) return fc.constant(null);
  if (operation.id === 'channelAccounts.create') return accounts(operation.body, providers);
  if (operation.id === 'channelAccounts.update') return accountChanges(operation.body, providers);
  const { body } = operation;
  const fields = {
    ...shared,
    ...known[operation.id],
    template: templatesOf(body),
    interactive: interactives,
  };
  const any = valuesOf(body, fields);
  if (operation.id === 'groups.send' || operation.id === 'tenantGroups.send') return groups(body, fields);
  if (operation.id === 'messages.sendBulk')
    return valuesOf(body, {
      ...fields,
      messages: withOneContent(body.properties!['messages']!.items!, fields),
    });
  if (operation.id !== 'tenantMessages.send') return any;
  return fc.oneof({ weight: 4, arbitrary: byHand(body, fields) }, { weight: 1, arbitrary: any });
}

const choices = (count: number) =>
  fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 20 }),
      title: fc.string({ minLength: 1, maxLength: 20 }),
    }),
    {
      minLength: 1,
      maxLength: count,
      comparator: (a, b) => a.id === b.id || a.title === b.title,
    },
  );

/** Buttons and lists that keep every limit; some ids are longer than their bytes may be. */
const interactives = fc
  .record(
    {
      text: fc.string({ minLength: 1, maxLength: 200 }),
      header: fc.string({ minLength: 1, maxLength: 60 }),
      fallback: fc.constant('numbered'),
    },
    { requiredKeys: ['text'] },
  )
  .chain((common) =>
    fc.oneof(
      choices(3).map((buttons) => ({ ...common, buttons })),
      choices(10).map((rows) => ({ ...common, list: { button: 'Choose', sections: [{ rows }] } })),
      fc.constant({ ...common, buttons: [{ url: 'https://example.com/', title: 'Open' }] }),
      fc.constant({ ...common, buttons: [{ id: 'ä'.repeat(40), title: 'Too long' }] }),
    ),
  );

/** Mostly templates of the sandbox, else any that the schema allows. */
function templatesOf({ properties = {} }: Schema): fc.Arbitrary<unknown> {
  const items = properties['messages']?.items ?? properties['routes']?.items;
  const schema = properties['template'] ?? items?.properties?.['template'];
  if (schema === undefined) return sandboxTemplates;
  return fc.oneof(
    { weight: 4, arbitrary: sandboxTemplates },
    { weight: 1, arbitrary: valuesOf(schema, shared) },
  );
}

/** Groups whose routes mostly have one content, and an account of their channel or none. */
function groups(body: Schema, shared: Fields): fc.Arbitrary<unknown> {
  const fields = { ...shared, channelAccountId: ofAnyChannel };
  const routes = withOneContent(body.properties!['routes']!.items!, fields);
  return fc.oneof(
    { weight: 9, arbitrary: valuesOf(body, { ...fields, routes }) },
    { weight: 1, arbitrary: valuesOf(body, fields) },
  );
}

/** Items of a bulk send, or routes of a group, most of which have one content. */
function withOneContent(item: Schema, fields: Fields): fc.Arbitrary<unknown> {
  const contents = ['text', 'media', 'template', 'interactive'] as const;
  const whole = fc.constantFrom(...contents).chain((wanted) => {
    const properties = Object.entries(item.properties ?? {}).filter(
      ([name]) => name === wanted || !contents.some((one) => one === name),
    );
    const required = [...(item.required ?? []), wanted];
    return valuesOf({ ...item, properties: Object.fromEntries(properties), required }, fields);
  });
  return fc.array(
    fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: valuesOf(item, fields) }),
    { minLength: 1, maxLength: 5 },
  );
}

/** A send by hand, with the fields of a text, a file, a template, or buttons or a list. */
function byHand(schema: Schema, fields: Fields): fc.Arbitrary<unknown> {
  const contents = {
    text: ['text'],
    file: ['type', 'url'],
    template: ['template'],
    interactive: ['interactive'],
  } as const;
  const names = ['text', 'type', 'url', 'caption', 'filename', 'template', 'interactive'];
  return fc.constantFrom(...Object.values(contents)).chain((wanted) => {
    const properties = Object.entries(schema.properties ?? {}).filter(
      ([name]) => !names.includes(name) || (wanted as readonly string[]).includes(name),
    );
    const required = [...(schema.required ?? []), ...wanted];
    return valuesOf({ ...schema, properties: Object.fromEntries(properties), required }, fields);
  });
}

function accounts(schema: Schema, providers: readonly Provider[]): fc.Arbitrary<unknown> {
  const ofOne = providers.map((provider) =>
    fc.record({ provider: fc.constant(provider.id), settings: settingsOf(provider) }),
  );
  const others = valuesOf(schema) as fc.Arbitrary<object>;
  return fc
    .tuple(
      others,
      fc.nat({ max: ofOne.length - 1 }).chain((index) => ofOne[index]!),
    )
    .map(([body, chosen]) => ({ ...body, ...chosen }));
}

/** Zones that exist, those of recipients, and names of none. */
const zones = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Pacific/Chatham') },
  { weight: 4, arbitrary: fc.constant({ recipient: true, fallback: 'Asia/Kathmandu' }) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 64 }) },
);

/** Settings that work, those with some of the others that the schema allows, or anything that it allows. */
function settingsOf({ settings, good }: Provider): fc.Arbitrary<object> {
  const any = valuesOf(settings, { url: urls, verifyUrl: urls, timeZone: zones }) as fc.Arbitrary<object>;
  if (good === undefined) return any;
  return fc.oneof(
    fc.constant(good),
    any.map((some) => ({ ...some, ...good })),
    any,
  );
}

/** The account to be changed is one of `http-sms`. */
function accountChanges(schema: Schema, providers: readonly Provider[]): fc.Arbitrary<unknown> {
  const gateway = providers.find(({ id }) => id === 'http-sms');
  const some = gateway === undefined ? fc.constant({}) : settingsOf(gateway);
  return fc.tuple(valuesOf(schema) as fc.Arbitrary<object>, fc.option(some)).map(([body, settings]) => {
    const { settings: _, isDefault: __, ...rest } = body as { settings?: unknown; isDefault?: unknown };
    return settings === null ? rest : { ...rest, settings };
  });
}
