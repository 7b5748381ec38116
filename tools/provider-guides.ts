import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { adapters } from '@notify/channels';
import { formatted, writeOrCheck } from './openapi-types.ts';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'apps/dashboard/src/api/provider-guides.ts');

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

if (import.meta.main) await writeOrCheck(target, await providerGuides(), 'provider-guides');
