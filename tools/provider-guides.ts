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
function gatewayProfiles(): Promise<string> {
  const signatures = Object.entries(signatureSettings).map(([type, { required, optional }]) => [
    type,
    [...required, ...optional],
  ]);
  return formatted(profilesTarget, [
    '// Made by `npm run provider-guides` from the table of profiles in packages/channels/src/http-sms/gateways.',
    `/** The body of a request, as the settings of a gateway describe one. */
    export interface ProfileBody {
      readonly type: string;
      readonly fields?: Readonly<Record<string, string>>;
      readonly template?: string;
    }
    /** A gateway that needs no description of its requests. */
    export interface GatewayProfile {
      readonly label: string;
      /** Where its API is, unless the settings name another address. */
      readonly url: string | null;
      /** The settings that only profiles have, of those that it takes. */
      readonly settings: readonly string[];
      /** Settings that have no effect with it. */
      readonly without: readonly string[];
      /** The setting by which callbacks are checked. Without it they are not. */
      readonly signedBy: string;
      readonly request: {
        readonly method: string;
        /** What follows the address. */
        readonly path: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: ProfileBody;
        /** In place of \`body\` where the gateway can send receipts. */
        readonly reportBody: ProfileBody;
        /** Added to the address of receipts. */
        readonly reportQuery: string;
        readonly numberFormat: string;
        readonly lifetime: Readonly<Record<string, number>>;
        /** The settings that replace placeholders, and those that hold secrets, by their names there. */
        readonly values: Readonly<Record<string, string>>;
        readonly secrets: Readonly<Record<string, string>>;
      };
    }
    /** By the value of the setting \`profile\`. */
    export const gatewayProfiles: Readonly<Record<string, GatewayProfile>> = ${JSON.stringify(describeProfiles())};
    /** The settings of each type of \`callbackSignature\`. */
    export const signatureSettings: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(signatures))};`,
  ]);
}

if (import.meta.main) await writeOrCheck(profilesTarget, await gatewayProfiles(), 'provider-guides');
if (import.meta.main) await writeOrCheck(target, await providerGuides(), 'provider-guides');
