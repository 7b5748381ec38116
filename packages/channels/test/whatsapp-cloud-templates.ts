import type {
  ButtonParameter,
  HeaderParameter,
  Outcome,
  TemplateBody,
  TemplateParameters,
} from '@notify/core';
import type { CloudButton, CloudComponent, CloudPeer, CloudTemplate } from '@notify/testkit';
import type { SendRequest } from '../src/adapter/channel.ts';
import { send } from './whatsapp-cloud-account.ts';

/** A part of a template, and what fills it. */
export interface Part<Component, Parameter> {
  readonly is: string;
  readonly component: Component;
  readonly parameter: Parameter;
}

type Header = Part<CloudComponent | null, HeaderParameter | null>;
type Body = Part<CloudComponent, NonNullable<TemplateParameters['body']>>;
type Buttons = Part<readonly CloudButton[], readonly ButtonParameter[]>;

const url = 'https://files.example/a';
const header = (format: NonNullable<CloudComponent['format']>): CloudComponent => ({
  type: 'HEADER',
  format,
});
const place = { latitude: 37.442_16, longitude: -122.161_535 };
const whole = { ...place, name: 'Philz Coffee', address: '101 Forest Ave, Palo Alto' };

/** Every kind of header, with and without what may be left out. A text's variable has the name `day` in named ones. */
export const headers = (named: boolean): readonly Header[] => [
  { is: 'no header', component: null, parameter: null },
  { is: 'a fixed header', component: { ...header('TEXT'), text: 'Monday' }, parameter: null },
  {
    is: 'a text header',
    component: { ...header('TEXT'), text: named ? 'On {{day}}' : 'On {{1}}' },
    parameter: { text: 'Monday' },
  },
  { is: 'an image', component: header('IMAGE'), parameter: { image: { url } } },
  { is: 'a video', component: header('VIDEO'), parameter: { video: { url } } },
  { is: 'a document', component: header('DOCUMENT'), parameter: { document: { url } } },
  {
    is: 'a named document',
    component: header('DOCUMENT'),
    parameter: { document: { url, filename: 'Rechnung "1" – März.pdf' } },
  },
  { is: 'a location', component: header('LOCATION'), parameter: { location: place } },
  { is: 'a location with an address', component: header('LOCATION'), parameter: { location: whole } },
];

export const bodies = (named: boolean): readonly Body[] => [
  { is: 'a fixed body', component: { type: 'BODY', text: 'Hello' }, parameter: named ? {} : [] },
  ...(named
    ? [
        {
          is: 'two names',
          component: { type: 'BODY', text: 'Hi {{first_name}}, {{sum}}!' } as const,
          parameter: { sum: '100 % "Ω" 😀', first_name: 'Ada' },
        },
      ]
    : [
        {
          is: 'one position',
          component: { type: 'BODY', text: 'Hi {{1}}!' } as const,
          parameter: ['Ada'],
        },
        {
          is: 'two positions, one of them twice',
          component: { type: 'BODY', text: '{{2}}, {{1}}: {{2}}!' } as const,
          parameter: ['100 % "Ω" 😀', 'Ada'],
        },
      ]),
];

const quickReply: CloudButton = { type: 'QUICK_REPLY', text: 'Stop' };
const fixedUrl: CloudButton = { type: 'URL', text: 'Open', url: 'https://shop.example/' };
const dynamicUrl: CloudButton = { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' };
const phone: CloudButton = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550109999' };
const copyCode: CloudButton = { type: 'COPY_CODE', text: 'Copy offer code' };

export const buttons: readonly Buttons[] = [
  { is: 'no button', component: [], parameter: [] },
  { is: 'a quick reply', component: [quickReply], parameter: [] },
  { is: 'a payload', component: [quickReply], parameter: [{ index: 0, payload: 'stop:1' }] },
  { is: 'a fixed address and a number', component: [fixedUrl, phone], parameter: [] },
  { is: 'a dynamic address', component: [dynamicUrl], parameter: [{ index: 0, text: '860198?a=ä' }] },
  { is: 'a coupon', component: [copyCode], parameter: [{ index: 0, code: '25OFF' }] },
  {
    is: 'all of them',
    component: [quickReply, phone, fixedUrl, dynamicUrl, copyCode],
    parameter: [
      { index: 4, code: '25OFF' },
      { index: 0, payload: 'stop:1' },
      { index: 3, text: '860198' },
    ],
  },
];

/** A template made of these parts, and what fills it. */
export function combined(
  head: Header,
  body: Body,
  row: Buttons,
  named: boolean,
): { readonly template: CloudTemplate; readonly parameters: TemplateParameters } {
  const template: CloudTemplate = {
    name: 'combined',
    language: 'en_US',
    status: 'APPROVED',
    category: 'MARKETING',
    parameter_format: named ? 'NAMED' : 'POSITIONAL',
    components: [
      ...(head.component === null ? [] : [head.component]),
      body.component,
      ...(row.component.length === 0 ? [] : [{ type: 'BUTTONS', buttons: row.component } as const]),
    ],
  };
  const parameters: TemplateParameters = {
    ...(head.parameter === null ? {} : { header: head.parameter }),
    body: body.parameter,
    buttons: row.parameter,
  };
  return { template, parameters };
}

/** Sends a template by the peer's first number. */
export function sendTemplate(
  peer: CloudPeer,
  { name, language }: Pick<CloudTemplate, 'name' | 'language'>,
  parameters: TemplateParameters | undefined,
  known: Partial<TemplateBody> = {},
  changes: Partial<SendRequest> = {},
): Promise<Outcome> {
  const template = { name, language, ...(parameters === undefined ? {} : { parameters }) };
  return send(peer, { type: 'template', body: { template, ...known }, ...changes });
}
