import type { InteractiveContent } from '@notify/contract';
import { interactiveLimits, type Channel, telegramLimits, textAboveButtons } from '@notify/core';
import type { FieldError } from '../problems/problem.ts';
import { judgeMediaUrl } from '../sending/media-url.ts';

type Button = NonNullable<InteractiveContent['buttons']>[number];
type List = NonNullable<InteractiveContent['list']>;

/** An id that comes back, and where it is in the request. */
interface PlacedId {
  readonly id: string;
  readonly at: string;
}

/** What is wrong with buttons or a list beyond their schema, for every channel. `at`: where the content is in the request. */
export function judgeInteractive(content: InteractiveContent, channel: Channel, at: string): FieldError[] {
  const { buttons, list } = content;
  if (buttons === undefined && list === undefined)
    return [{ at: `${at}/buttons`, message: 'is required, unless there is a list' }];
  if (buttons !== undefined && list !== undefined)
    return [{ at: `${at}/list`, message: 'must not be given together with buttons' }];
  const faults =
    list === undefined ? judgeButtons(buttons ?? [], `${at}/buttons`) : judgeList(list, `${at}/list`);
  // Only with very many characters of two code units.
  if (channel === 'telegram' && textAboveButtons(content).length > telegramLimits.text)
    faults.push({
      at: `${at}/text`,
      message: `must have, with header, footer and what a list says, at most ${telegramLimits.text.toLocaleString('en')} UTF-16 code units`,
    });
  return faults;
}

function judgeButtons(buttons: readonly Button[], at: string): FieldError[] {
  const faults = buttons.flatMap((button, index) => judgeButton(button, `${at}/${index}`));
  if (faults.length > 0) return faults;
  const link = buttons.findIndex((button) => 'url' in button);
  if (link !== -1 && buttons.length > 1)
    return [{ at: `${at}/${link}/url`, message: 'must be that of the only button' }];
  return [
    ...judgeIds(
      buttons.flatMap((button, index) =>
        'id' in button ? [{ id: button.id, at: `${at}/${index}/id` }] : [],
      ),
    ),
    ...judgeTitles(buttons, at),
  ];
}

function judgeButton(button: Button, at: string): FieldError[] {
  const { id, url }: { id?: string; url?: string } = button;
  if (id === undefined && url === undefined)
    return [{ at: `${at}/id`, message: 'is required, unless there is a url' }];
  if (id !== undefined && url !== undefined)
    return [{ at: `${at}/url`, message: 'must not be given together with id' }];
  const fault = url === undefined ? null : judgeMediaUrl(url);
  return fault === null ? [] : [{ at: `${at}/url`, message: fault }];
}

/** WhatsApp refuses two buttons of one title, and a person could not tell them apart. */
function judgeTitles(buttons: readonly Button[], at: string): FieldError[] {
  const titles = buttons.map(({ title }) => title);
  return titles.flatMap((title, index) =>
    titles.indexOf(title) < index
      ? [{ at: `${at}/${index}/title`, message: 'must differ from those of the other buttons' }]
      : [],
  );
}

function judgeList({ sections }: List, at: string): FieldError[] {
  const rows = sections.flatMap((section, number) =>
    section.rows.map(({ id }, index) => ({ id, at: `${at}/sections/${number}/rows/${index}/id` })),
  );
  const untitled =
    sections.length === 1
      ? []
      : sections.flatMap(({ title }, number) =>
          title === undefined
            ? [
                {
                  at: `${at}/sections/${number}/title`,
                  message: 'is required if there is more than one section',
                },
              ]
            : [],
        );
  const { rows: most } = interactiveLimits;
  const surplus =
    rows.length > most
      ? [{ at: `${at}/sections`, message: `must have at most ${most} rows in all, not ${rows.length}` }]
      : [];
  return [...untitled, ...surplus, ...judgeIds(rows)];
}

function judgeIds(ids: readonly PlacedId[]): FieldError[] {
  const seen = new Set<string>();
  return ids.flatMap(({ id, at }): FieldError[] => {
    const isRepeated = seen.has(id);
    seen.add(id);
    if (Buffer.byteLength(id) > interactiveLimits.idBytes)
      return [{ at, message: `must have at most ${interactiveLimits.idBytes} bytes of UTF-8` }];
    return isRepeated ? [{ at, message: 'must be unique in the message' }] : [];
  });
}
