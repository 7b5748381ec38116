import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { adapters, describeProfiles, signatureSettings } from '@notify/channels';
import { formatted, writeOrCheck } from './openapi-types.ts';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'apps/dashboard/src/api/provider-guides.ts');
const profilesTarget = path.join(root, 'apps/dashboard/src/api/gateway-profiles.ts');

/** What every provider's `guide.ts` says, in the dashboard's order, as the text of its `src/api/provider-guides.ts`. */
async function providerGuides(): Promise<string> {
  const inOrder = [...adapters.values()].sort((one, other) => one.guide.place - other.guide.place);
  const guides = Object.fromEntries(inOrder.map(({ id, guide }) => [id, guide]));
  return formatted(target, [
    '// Made by `npm run provider-guides` from the guide.ts of each provider in packages/channels.',
    await readFile(path.join(root, 'packages/channels/src/adapter/guide.ts'), 'utf8'),
    `/** By the id of the provider. */
    export const guides: Readonly<Record<string, ProviderGuide>> = ${JSON.stringify(guides)};`,
  ]);
}

/** The table of the gateways that Notify knows, and which settings go with which signature of callbacks. */
async function gatewayProfiles(): Promise<string> {
  const signatures = Object.entries(signatureSettings).map(([type, { required, optional }]) => [
    type,
    [...required, ...optional],
  ]);
  return formatted(profilesTarget, [
    '// Made by `npm run provider-guides` from the table of profiles in packages/channels/src/http-sms/gateways.',
    await readFile(path.join(root, 'packages/channels/src/http-sms/gateways/gateway-profile.ts'), 'utf8'),
    `/** By the value of the setting \`profile\`. */
    export const gatewayProfiles: Readonly<Record<string, GatewayProfile>> = ${JSON.stringify(describeProfiles())};
    /** The settings of each type of \`callbackSignature\`. */
    export const signatureSettings: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(signatures))};`,
  ]);
}

if (import.meta.main) await writeOrCheck(profilesTarget, await gatewayProfiles(), 'provider-guides');
if (import.meta.main) await writeOrCheck(target, await providerGuides(), 'provider-guides');
