/** A button that the person presses: its `id` comes back. */
export interface ReplyButton {
  readonly id: string;
  readonly title: string;
}

/** A button that opens an address. Nothing comes back. */
export interface UrlButton {
  readonly url: string;
  readonly title: string;
}

export interface ListRow {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
}

export interface ListSection {
  readonly title?: string;
  readonly rows: readonly ListRow[];
}

/** Buttons or a list, and the text that they stand under. Has either `buttons` or `list`. */
export interface InteractiveContent {
  readonly text: string;
  readonly header?: string;
  readonly footer?: string;
  /** Up to three with an id, or one with an address. */
  readonly buttons?: readonly (ReplyButton | UrlButton)[];
  /** `button` is the title of the button that opens the list. */
  readonly list?: { readonly button: string; readonly sections: readonly ListSection[] };
  /** What to send where there are no buttons. Without it such a send is refused. */
  readonly fallback?: 'numbered';
}

/** The body of a message of type `interactive`. */
export interface InteractiveBody {
  readonly interactive: InteractiveContent;
  /** The text as the recipient reads it, if it is sent as a text. */
  readonly text?: string;
}

/**
 * The limits of what WhatsApp and Telegram take, the smaller one of each. In code points, but for ids: Telegram takes 64 bytes of a
 * button's data (https://core.telegram.org/bots/api#inlinekeyboardbutton). The others are WhatsApp's
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages and
 * /interactive-list-messages).
 */
export const interactiveLimits = {
  text: 1_024,
  header: 60,
  footer: 60,
  buttons: 3,
  buttonTitle: 20,
  idBytes: 64,
  rows: 10,
  rowTitle: 24,
  sectionTitle: 24,
  description: 72,
} as const;

/** How long after a numbered message a number answers it, in hours. */
export const numberedHours = 24;

/** What the person can choose, in the order shown. Empty for a button that opens an address. */
export function choicesOf({ buttons = [], list }: InteractiveContent): readonly ListRow[] {
  if (list !== undefined) return list.sections.flatMap(({ rows }) => rows);
  return buttons.filter((button) => 'id' in button);
}

/** The content as a text. What can be chosen has numbers, and a number that comes back is a press (`pressedBy`). */
export function numberedText(content: InteractiveContent): string {
  return [...proseOf(content), linesOf(content).join('\n')].join('\n\n');
}

/** Header, text and footer, as far as they are given. */
function proseOf({ header, text, footer }: InteractiveContent): string[] {
  return [header, text, footer].filter((part) => part !== undefined);
}

function linesOf({ buttons = [], list }: InteractiveContent): string[] {
  let number = 0;
  const toLine = ({ title, description }: ListRow): string => {
    number += 1;
    return `Reply ${number} for ${title}${description === undefined ? '' : `: ${description}`}`;
  };
  if (list === undefined)
    return buttons.map((button) => ('url' in button ? `${button.title}: ${button.url}` : toLine(button)));
  return list.sections.flatMap(({ title, rows }) => [
    ...(title === undefined ? [] : [`${title}:`]),
    ...rows.map(toLine),
  ]);
}

/**
 * The text of a message whose choices are buttons below it, where a button shows a title only: with the sections and the
 * descriptions of a list.
 */
export function textAboveButtons(content: InteractiveContent): string {
  const notes = (content.list?.sections ?? [])
    .map(({ title, rows }) =>
      [
        ...(title === undefined ? [] : [`${title}:`]),
        ...(title === undefined && rows.every(({ description }) => description === undefined)
          ? []
          : rows.map((row) =>
              row.description === undefined ? `• ${row.title}` : `• ${row.title}: ${row.description}`,
            )),
      ].join('\n'),
    )
    .filter((note) => note !== '');
  const { header, text, footer } = content;
  return [header, text, ...notes, footer].filter((part) => part !== undefined).join('\n\n');
}

/**
 * How much earlier than its question an answer may have been written, in ms: some gateways write whole minutes, and their clock may be
 * slow by another minute. So nobody's answer is lost.
 */
const toleratedMs = 120_000;

/** Whether what was written at that time may answer what was asked at this one. Null: the provider does not tell when. */
export function mayAnswer(writtenAt: Date | null, askedAt: Date): boolean {
  return writtenAt === null || writtenAt.getTime() >= askedAt.getTime() - toleratedMs;
}

const answer = /^(\p{Nd}{1,2})\s*[.)。]?$/u;
/** The longest text that is read as a number, in UTF-16 units. */
const maxAnswerLength = 32;

/**
 * The number that a text consists of, such as `2`, ` 2 ` or `2.`, in the digits of any script, of full width (`２`) or on a key (`2️⃣`). Null
 * if it is anything more.
 */
export function numberIn(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > maxAnswerLength) return null;
  const plain = trimmed.normalize('NFKC').replaceAll(/[\p{Default_Ignorable_Code_Point}\u20E3]/gu, '');
  const digits = answer.exec(plain.trim())?.[1];
  return digits === undefined
    ? null
    : Array.from(digits).reduce((value, digit) => 10 * value + valueOf(digit), 0);
}

/** The value of a decimal digit. Unicode has the ten of a script in order, and some scripts side by side (The Unicode Standard, 4.6). */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** The choice that a number stands for in `numberedText`. Null if there is none. */
export function pressedBy(content: InteractiveContent, number: number): ListRow | null {
  return choicesOf(content)[number - 1] ?? null;
}
