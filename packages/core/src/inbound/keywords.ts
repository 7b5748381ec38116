import type { Channel } from '../messages/message.ts';
import type { ConsentStatus } from './inbound-message.ts';

/** The words by which a person opts out (`stop`) or in again (`start`). */
export interface Keywords {
  readonly stop: readonly string[];
  readonly start: readonly string[];
}

/**
 * The words that carriers of the USA demand of every sender, and that Twilio obeys by itself
 * (https://help.twilio.com/articles/223134027-Twilio-support-for-opt-out-keywords-SMS-STOP-filtering-). HELP and INFO ask
 * for information, so they change nothing.
 */
const ofSms: Keywords = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
  start: ['START', 'YES', 'UNSTOP'],
};
/** Without the words that people also use to answer a bot. */
const ofWhatsapp: Keywords = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'OPT OUT'],
  start: ['START', 'UNSTOP'],
};
const none: Keywords = { stop: [], start: [] };
const defaults: Readonly<Record<Channel, Keywords>> = { sms: ofSms, whatsapp: ofWhatsapp, telegram: none };

/** The words of an account that names none. None on Telegram, where a person blocks the bot, and `/start` is a greeting. */
export function defaultKeywords(channel: Channel): Keywords {
  return defaults[channel];
}

/** Longer messages are no words. In UTF-16 units. */
const maxLength = 1_000;

/**
 * What a message says about consent: its whole text is one of the words. Null if it is none. A text that is in both
 * lists opts out.
 */
export function judgeWords(text: string, keywords: Keywords): ConsentStatus | null {
  if (text.length > maxLength) return null;
  const said = wordOf(text);
  if (said === '') return null;
  const bare = withoutLeading(said);
  const names = (words: readonly string[]): boolean =>
    words.some((word) => [said, bare].includes(wordOf(word)));
  if (names(keywords.stop)) return 'opted-out';
  return names(keywords.start) ? 'opted-in' : null;
}

/**
 * The form in which words are compared. Upper and lower case (Unicode's full case folding: `STRAẞE` is `Straße` is `STRASSE`),
 * compatible forms such as ligatures and full width (NFKC), white space, invisible characters and trailing punctuation make no
 * difference; leading punctuation does, because bots have words like `/stop`. The four i of Turkish are one letter, so a phone
 * may capitalise them by the rules of any language. Empty if nothing is left.
 */
export function wordOf(text: string): string {
  const folded = foldCase(text.normalize('NFKD').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))
    .normalize('NFKC')
    .replaceAll('İ', 'I')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // Looks at each run of punctuation once. Without the first part, 1,000 characters took 100 ms: NFKC makes four of some.
  const bare = folded.replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '');
  return bare === '' ? folded : bare;
}

/**
 * Makes texts that differ only in case equal. The small letters come first, because ẞ has the capital SS only as ß. This gives
 * the classes of Unicode's full case folding (CaseFolding.txt, statuses C and F), which JavaScript lacks.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** People copy quotes and inverted marks with a word: “STOP”, ¡ALTO! */
function withoutLeading(word: string): string {
  return word.replace(/^[\p{P}\s]+/u, '');
}
