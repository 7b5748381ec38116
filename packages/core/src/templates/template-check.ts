import type { Channel } from '../messages/message.ts';
import { codePoints } from '../text/text.ts';
import type {
  HeaderParameter,
  Template,
  TemplateFault,
  TemplateHeader,
  TemplateParameters,
  TemplateText,
} from './template.ts';
import { checkButtons } from './template-check-buttons.ts';
import {
  bodyValues,
  filledLength,
  fillText,
  headerValues,
  isPositional,
  type TemplateValues,
} from './template-text.ts';

/**
 * The longest texts with their variables filled, in characters. WhatsApp refuses longer ones with error 132005. A body
 * may be longer if the template has nothing else.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages#parameter-object
 */
export const filledLimits = { header: 60, body: 1_024 } as const;
const maxBodyAlone = 32_768;
/** The longest text of an SMS by Twilio. */
const maxFilled = 1_600;

/**
 * Checks whether parameters fill a template: each wanted one is there, none is surplus, and each has the right form.
 * Returns every fault, in the order header, body, buttons. Limits of length and of line breaks apply on WhatsApp only.
 * Whether the template is approved is not looked at.
 */
export function checkTemplate(
  template: Template,
  parameters: TemplateParameters,
  channel: Channel = 'whatsapp',
): TemplateFault[] {
  const faults = [
    ...checkHeader(template.header, parameters.header),
    ...checkBody(template, parameters.body),
    ...checkButtons(template.buttons, parameters.buttons ?? []),
  ];
  if (channel !== 'whatsapp') return [...faults, ...tooLongToFill(template, parameters)];
  const named = new Set(faults.map(({ at }) => at));
  return [...faults, ...checkForWhatsapp(template, parameters).filter(({ at }) => !named.has(at))];
}

function checkHeader(header: TemplateHeader | null, given: HeaderParameter | undefined): TemplateFault[] {
  const wanted = wantedHeader(header);
  if (given === undefined)
    return wanted === null ? [] : [{ at: '/header', message: `is required: the header takes ${an(wanted)}` }];
  if (wanted === null) {
    const message = header === null ? 'is surplus: there is no header' : 'is surplus: the header takes none';
    return [{ at: '/header', message }];
  }
  const kind = headerKind(given);
  if (kind !== wanted)
    return [{ at: `/header/${kind}`, message: `must be ${an(wanted)}, because the header takes one` }];
  return 'text' in given ? checkValue('/header/text', given.text) : [];
}

type HeaderKind = TemplateHeader['kind'];

/** The kind of parameter that a header takes. Null for none. */
function wantedHeader(header: TemplateHeader | null): HeaderKind | null {
  if (header === null) return null;
  return header.kind === 'text' && header.variables.length === 0 ? null : header.kind;
}

function headerKind(given: HeaderParameter): HeaderKind {
  return (['text', 'image', 'video', 'document', 'location'] as const).find((kind) => kind in given)!;
}

function an(kind: HeaderKind): string {
  return kind === 'image' ? 'an image' : `a ${kind}`;
}

function checkBody({ named, body }: Template, given: TemplateParameters['body']): TemplateFault[] {
  const names = body.variables.map(({ name }) => name);
  if (given === undefined || isEmpty(given)) return names.map((name) => missing(name, named));
  if (isPositional(given)) {
    if (named && names.length > 0)
      return [{ at: '/body', message: `must be an object with the named variables ${names.join(', ')}` }];
    return checkPositional(names, given);
  }
  if (!named && names.length > 0)
    return [{ at: '/body', message: `must be an array of ${names.length}, because variables have no names` }];
  return checkNamed(names, given);
}

function isEmpty(given: NonNullable<TemplateParameters['body']>): boolean {
  return isPositional(given) ? given.length === 0 : Object.keys(given).length === 0;
}

function missing(name: string, named: boolean): TemplateFault {
  const at = named ? `/body/${pointerStep(name)}` : `/body/${Number(name) - 1}`;
  return { at, message: `is required: it fills {{${name}}}` };
}

function checkPositional(names: readonly string[], given: readonly string[]): TemplateFault[] {
  const count = Math.max(0, ...names.map(Number));
  const faults: TemplateFault[] = [];
  for (const [index, value] of given.entries()) {
    if (index >= count) faults.push({ at: `/body/${index}`, message: surplusOf(count) });
    else if (value.trim() === '') faults.push({ at: `/body/${index}`, message: empty });
  }
  for (const name of names) if (Number(name) > given.length) faults.push(missing(name, false));
  return faults;
}

function surplusOf(count: number): string {
  return `is surplus: the body has ${count} ${count === 1 ? 'variable' : 'variables'}`;
}

function checkNamed(names: readonly string[], given: Readonly<Record<string, string>>): TemplateFault[] {
  return [
    ...Object.entries(given).flatMap(([name, value]) => {
      const at = `/body/${pointerStep(name)}`;
      return names.includes(name) ? checkValue(at, value) : [{ at, message: 'is no variable of the body' }];
    }),
    ...names.filter((name) => !Object.hasOwn(given, name)).map((name) => missing(name, true)),
  ];
}

const empty = 'must not be empty';

function checkValue(at: string, value: string): TemplateFault[] {
  return value.trim() === '' ? [{ at, message: empty }] : [];
}

/** One step of a JSON pointer (RFC 6901, 3). */
function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function checkForWhatsapp(template: Template, parameters: TemplateParameters): TemplateFault[] {
  const { header, body = [], buttons = [] } = parameters;
  const values = [
    ...(header !== undefined && 'text' in header ? [['/header/text', header.text] as const] : []),
    ...Object.entries(body).map(([name, value]) => [`/body/${pointerStep(name)}`, value] as const),
    ...buttons.flatMap((button, index) =>
      'text' in button ? [[`/buttons/${index}/text`, button.text] as const] : [],
    ),
  ];
  return [
    ...values.filter(([, value]) => isBroken(value)).map(([at]) => ({ at, message: brokenMessage })),
    ...tooLong(template, parameters),
  ];
}

/**
 * WhatsApp refuses such a value with error 132018.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */
function isBroken(value: string): boolean {
  return /[\n\r\t]| {5}/.test(value);
}

const brokenMessage = 'must not contain a line break, a tab or more than four spaces in a row';

/** A character has at most two code units, so a much longer text need not be built to be refused. */
function limitFilled(at: string, text: TemplateText, values: TemplateValues, most: number): TemplateFault[] {
  const long = filledLength(text, values) > 2 * most;
  return limit(at, long ? ' '.repeat(most + 1) : fillText(text, values), most);
}

function tooLong(template: Template, parameters: TemplateParameters): TemplateFault[] {
  const { header, footer, buttons } = template;
  const alone = header === null && footer === null && buttons.length === 0;
  return [
    ...(header?.kind === 'text'
      ? limitFilled('/header/text', header, headerValues(parameters.header), filledLimits.header)
      : []),
    ...limitFilled(
      '/body',
      template.body,
      bodyValues(parameters.body),
      alone ? maxBodyAlone : filledLimits.body,
    ),
  ];
}

/**
 * Twilio sends no longer text (error 21658, twilio.com/docs/api/errors/21658). A template that repeats a variable could
 * become very long.
 */
function tooLongToFill({ header, body }: Template, parameters: TemplateParameters): TemplateFault[] {
  const lengths = {
    '/header/text': header?.kind === 'text' ? filledLength(header, headerValues(parameters.header)) : 0,
    '/body': filledLength(body, bodyValues(parameters.body)),
  };
  return Object.entries(lengths)
    .filter(([, length]) => length > 2 * maxFilled)
    .map(([at]) => ({ at, message: `makes the text too long: it may have ${maxFilled} characters` }));
}

function limit(at: string, text: string, most: number): TemplateFault[] {
  // A text has at most as many characters as code units, which cost nothing to count.
  const length = text.length > most ? codePoints(text) : 0;
  const message = `makes a text of ${length} characters; WhatsApp allows ${most}`;
  return length > most ? [{ at, message }] : [];
}
