import { describeProvider, type Adapter } from '@notify/channels';
import { Provider } from '@notify/contract';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';

export const listProviders = defineRoute({
  operationId: 'providers.list',
  method: 'get',
  path: '/v1/providers',
  tag: 'Channel accounts',
  summary: 'List providers and their settings',
  credential: 'bearer',
  scope: 'accounts:read',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(Provider),
  problems: [],
  async handle(_input, { adapters }: { adapters: ReadonlyMap<string, Adapter> }) {
    return [...adapters.values()].map((adapter) => {
      const provider = describeProvider(adapter);
      const templates = adapter.listTemplates !== undefined;
      const silentOn = [...provider.capabilities.silentOn];
      const chatStates = [...provider.capabilities.chatStates];
      const interactiveOn = [...provider.capabilities.interactiveOn];
      const capabilities = { ...provider.capabilities, silentOn, interactiveOn, chatStates, templates };
      return { ...provider, capabilities, settings: { ...provider.settings } };
    });
  },
});
