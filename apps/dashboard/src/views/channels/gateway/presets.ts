import { gatewayProfiles } from '../../../api/gateway-profiles.ts';
import type { Settings } from '../settings/values.ts';

/** Presets for the form of a gateway. The tenant enters only what the gateway does not share with others. */
export interface Preset {
  readonly name: string;
  readonly label: string;
  readonly settings: Settings;
}

/** The usual forms of SMS gateways with an HTTP API, and the gateways that Notify knows. Values in braces are placeholders of the provider's templates. */
export const presets: readonly Preset[] = [
  {
    name: 'json-bearer',
    label: 'POST with JSON and a bearer token',
    settings: {
      method: 'POST',
      headers: { Authorization: 'Bearer {{secret.token}}' },
      body: { type: 'json', template: '{"from":"{{from}}","to":"{{to}}","text":"{{text}}"}' },
      secrets: { token: '' },
    },
  },
  {
    name: 'json-key',
    label: 'POST with JSON and an API key header',
    settings: {
      method: 'POST',
      headers: { 'X-Api-Key': '{{secret.key}}' },
      body: { type: 'json', template: '{"from":"{{from}}","to":"{{to}}","message":"{{text}}"}' },
      secrets: { key: '' },
    },
  },
  {
    name: 'form-password',
    label: 'POST with a form, user name and password',
    settings: {
      method: 'POST',
      body: {
        type: 'form',
        fields: {
          username: '{{secret.username}}',
          password: '{{secret.password}}',
          from: '{{from}}',
          to: '{{to}}',
          text: '{{text}}',
        },
      },
      secrets: { username: '', password: '' },
      numberFormat: 'digits',
    },
  },
  {
    name: 'query-key',
    label: 'GET with everything in the URL',
    settings: {
      method: 'GET',
      body: {
        type: 'query',
        fields: { api_key: '{{secret.key}}', from: '{{from}}', to: '{{to}}', text: '{{text}}' },
      },
      secrets: { key: '' },
      numberFormat: 'digits',
    },
  },
  ...Object.entries(gatewayProfiles).map(([name, { label }]) => ({
    name,
    label,
    settings: { profile: name },
  })),
];
