import { type Channel, defaultKeywords, judgeWords, type Keywords, wordOf } from '@notify/core';
import Type from 'typebox';

/** The default words of each channel, as a sentence. */
function defaultsOf(kind: keyof Keywords): string {
  const words = (channel: Channel) => defaultKeywords(channel)[kind].join(', ') || 'none';
  return `By default, on SMS: ${words('sms')}. On WhatsApp: ${words('whatsapp')}. On Telegram: ${words('telegram')}.`;
}

const Words = (title: string, description: string, kind: keyof Keywords) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      title,
      description: `${description} ${defaultsOf(kind)} Your words replace these. With an empty list there are no such words.`,
      maxItems: 50,
    }),
  );

/** Part of the settings of every provider: the words by which a person opts out or in. */
export const keywordsSetting = {
  keywords: Type.Optional(
    Type.Object(
      {
        stop: Words(
          'Opt-out words',
          'A person who sends one of these words, and nothing else, gets no more messages from this account.',
          'stop',
        ),
        start: Words(
          'Opt-in words',
          'A person who opted out and sends one of these words, and nothing else, gets messages again.',
          'start',
        ),
      },
      { title: 'Opt-out and opt-in words', additionalProperties: false },
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
