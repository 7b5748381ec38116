import type { ButtonParameter, HeaderParameter, TemplateBody, TemplateParameters } from '@notify/core';

/**
 * The `template` of a message. A component without a parameter is left out. Meta's reference is
 * developers.facebook.com/documentation/business-messaging/whatsapp/templates, pages "components",
 * "utility-templates/location-templates", "marketing-templates/coupon-templates" and
 * "authentication-templates/copy-code-button-authentication-templates".
 */
export function templateOf({ template, oneTimeCodes = [], headerVariable }: TemplateBody): object {
  const { name, language, parameters = {} } = template;
  const { header, buttons = [] } = parameters;
  const components = [
    ...(header === undefined ? [] : [headerOf(header, headerVariable)]),
    ...bodyOf(parameters, oneTimeCodes),
    ...buttons.map((button) => buttonOf(button, oneTimeCodes)),
  ];
  return { name, language: { code: language }, ...(components.length === 0 ? {} : { components }) };
}

function headerOf(header: HeaderParameter, variable: string | undefined): object {
  return { type: 'header', parameters: [headerParameter(header, variable)] };
}

/** Files go by their URL, which Meta fetches. Coordinates are texts, as Meta writes them. */
function headerParameter(header: HeaderParameter, variable: string | undefined): object {
  if ('text' in header) return textParameter(header.text, variable);
  if ('image' in header) return { type: 'image', image: { link: header.image.url } };
  if ('video' in header) return { type: 'video', video: { link: header.video.url } };
  if ('document' in header) {
    const { url, filename } = header.document;
    return { type: 'document', document: { link: url, ...(filename?.trim() ? { filename } : {}) } };
  }
  const { latitude, longitude, name, address } = header.location;
  return {
    type: 'location',
    location: {
      latitude: String(latitude),
      longitude: String(longitude),
      ...(name === undefined ? {} : { name }),
      ...(address === undefined ? {} : { address }),
    },
  };
}

/** The body of an authentication template has the code as its only variable. So the button's code fills it. */
function bodyOf({ body = [], buttons = [] }: TemplateParameters, oneTimeCodes: readonly number[]): object[] {
  const given = Array.isArray(body)
    ? body.map((text: string) => textParameter(text))
    : Object.entries(body as Readonly<Record<string, string>>).map(([name, text]) =>
        textParameter(text, name),
      );
  const code = buttons.find((button) => 'code' in button && oneTimeCodes.includes(button.index));
  const parameters = given.length === 0 && code !== undefined ? [textParameter(filling(code))] : given;
  return parameters.length === 0 ? [] : [{ type: 'body', parameters }];
}

/** A one-time code goes where the end of an address goes, because its button is one that opens an address. */
function buttonOf(button: ButtonParameter, oneTimeCodes: readonly number[]): object {
  const index = String(button.index);
  if ('payload' in button) {
    const parameters = [{ type: 'payload', payload: button.payload }];
    return { type: 'button', sub_type: 'quick_reply', index, parameters };
  }
  if ('code' in button && !oneTimeCodes.includes(button.index)) {
    const parameters = [{ type: 'coupon_code', coupon_code: button.code }];
    return { type: 'button', sub_type: 'copy_code', index, parameters };
  }
  return { type: 'button', sub_type: 'url', index, parameters: [textParameter(filling(button))] };
}

function filling(button: ButtonParameter): string {
  if ('payload' in button) return button.payload;
  return 'text' in button ? button.text : button.code;
}

function textParameter(text: string, name?: string): object {
  return { type: 'text', ...(name === undefined ? {} : { parameter_name: name }), text };
}
