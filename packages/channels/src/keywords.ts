import { type Channel, defaultKeywords, judgeWords, type Keywords, wordOf } from '@notify/core';
import Type from 'typebox';

const Words = (title: string, description: string, byDefault: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      title,
      description: `${description} Replaces the default words: on SMS ${byDefault}, on WhatsApp fewer, on Telegram none. An empty list switches it off.`,
      maxItems: 50,
    }),
  );

/** Part of the settings of every provider: the words by which a person opts out or in. */
export const keywordsSetting = {
  keywords: Type.Optional(
    Type.Object(
      {
        stop: Words(
          'Words that opt out',
          'A message that consists of one of these words opts its sender out.',
          defaultKeywords('sms').stop.join(', '),
        ),
        start: Words(
          'Words that opt in',
          'A message that consists of one of these words opts its sender in again.',
          defaultKeywords('sms').start.join(', '),
        ),
      },
      { title: 'Words about consent', additionalProperties: false },
    ),
  ),
};

interface KeywordSettings {
  readonly keywords?: Partial<Keywords>;
}

/** The words of an account: those in its settings, else the defaults of its channel. Null settings have the defaults. */
export function keywordsOf(channel: Channel, settings: unknown): Keywords {
  return { ...defaultKeywords(channel), ...(settings as KeywordSettings | null)?.keywords };
}

/**
 * Words that no message can be, and words that opt both out and in. A word that meets a default of the other list is
 * named where the tenant wrote it.
 */
export function keywordFaults(
  channel: Channel,
  settings: unknown,
): { readonly at: string; readonly message: string }[] {
  const { keywords } = (settings ?? {}) as KeywordSettings;
  if (keywords === undefined) return [];
  const { stop } = keywordsOf(channel, settings);
  const start = keywords.start ?? [];
  const byDefault = keywords.start === undefined ? defaultKeywords(channel).start : [];
  return [
    ...faultsIn('stop', keywords.stop ?? [], byDefault, 'opts in'),
    ...faultsIn('start', start, stop, 'opts out'),
  ];
}

function faultsIn(
  name: keyof Keywords,
  words: readonly string[],
  others: readonly string[],
  does: string,
): { readonly at: string; readonly message: string }[] {
  return words.flatMap((word, index) => {
    const at = `/keywords/${name}/${index}`;
    if (wordOf(word) === '') return [{ at, message: 'must not be blank' }];
    const isTaken = judgeWords(word, { stop: others, start: [] }) !== null;
    return isTaken ? [{ at, message: `is also a word that ${does}` }] : [];
  });
}
