import { type Adapter, adapters, providerErrorCodes } from '@notify/channels';
import { problems } from '@notify/contract';

const ids = (fits: (adapter: Adapter) => boolean): string[] =>
  [...adapters.values()].filter(fits).map(({ id }) => id);

/** The providers that a sentence names. */
const namedIn = (sentence: string): string[] => ids(({ id }) => sentence.includes(`\`${id}\``));

test('a refusal of buttons names every provider that sends them', () => {
  const senders = ids(({ capabilities }) => (capabilities.interactiveOn ?? []).length > 0);
  expect(senders).toContain('sandbox');
  expect(namedIn(problems['interactive-not-supported'].help)).toEqual(senders);
  expect(namedIn(providerErrorCodes['interactive-not-supported'])).toEqual(senders);
});

test('a refusal of a template names every provider that has some', () => {
  const senders = ids((adapter) => adapter.listTemplates !== undefined);
  expect(namedIn(providerErrorCodes['template-not-supported'])).toEqual(senders);
});
