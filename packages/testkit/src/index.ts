export type { ProcessName } from '@notify/core';
export { freePort } from '@notify/embedded';
export { cleanEnv, runApp, stopChild } from './child.ts';
export { makeCertificate } from './certificate.ts';
export { type Compose, type ComposeService, exampleEnv, readCompose } from './compose.ts';
export { type ContinuingProxy, startContinuingProxy } from './continuing-proxy.ts';
export { countUsage } from './count-usage.ts';
export { makeDatabaseFolder } from './database-folder.ts';
export {
  adminUrlVariable,
  emptyDatabase,
  makeTemplate,
  migrateDatabase,
  ownDatabase,
  type TestDatabase,
  testDatabase,
} from './databases.ts';
export { endWithNpm, endWithUs, type LastSignal } from './end-with-us.ts';
export { type EventStream, openEventStream } from './event-stream.ts';
export {
  type Harm,
  type Harmful,
  type HarmfulOptions,
  preloadOf,
  startHarmful,
  untilKilled,
} from './harm.ts';
export { type Guide, type GuideBlock, readGuide } from './guides.ts';
export { histories } from './histories.ts';
export { inboundAccountOf, inboundText } from './inbound.ts';
export {
  kannelPrograms,
  kannelReportTable,
  type ReceivedSms,
  type RunningKannel,
  startKannel,
} from './kannel.ts';
export type { KannelInbound } from './kannel-inbound.ts';
export { looseSpans, type OtlpReceiver, type OtlpSpan, startOtlpReceiver } from './otlp-receiver.ts';
export { type Commands, serveControl } from './peer-process.ts';
export { descendantsOf, type ListedProcess, listProcesses } from './process-list.ts';
export {
  demandProgram,
  describeWith,
  findProgram,
  hasPrograms,
  missingPrograms,
  type Program,
  testWith,
} from './programs.ts';
export { type PgBouncerOptions, type RunningPgBouncer, startPgBouncer } from './pgbouncer.ts';
export { type OwnPostgres, type OwnPostgresOptions, startOwnPostgres } from './postgres.ts';
export { type OwnQueue, startQueue } from './queue-store.ts';
export { openQueueLosses, type QueueLosses, type QueuePart } from './queue-losses.ts';
export { type Behaviour, type Received, type Receiver, startReceiver } from './receiver.ts';
export { type ArchivedPostgres, startArchivedPostgres } from './postgres-cluster/archived-postgres.ts';
export {
  type ClusterServer,
  type PostgresCluster,
  startPostgresCluster,
} from './postgres-cluster/cluster.ts';
export { startRedisCluster } from './redis/cluster.ts';
export { createNetwork, type Network } from './redis/network.ts';
export type { RedisNode } from './redis/node.ts';
export { startSentinelSet } from './redis/sentinel-set.ts';
export type { RedisRole, RedisSet, RedisSetOptions, RedisTopology } from './redis/set.ts';
export { type OwnRedis, type RunningRedis, startOwnRedis, startRedis } from './redis.ts';
export {
  type ProcessesOptions,
  type ProcessOptions,
  type RunningProcess,
  type RunningProcesses,
  startProcess,
  startProcesses,
} from './processes.ts';
export { readMetrics, type Sample, scrape, type Scraped } from './scrape.ts';
export { type DumpedRow, dumpRows, formsOf, type Leak, leaksInRows, leaksInText } from './secrecy.ts';
export { type RunningService, type ServiceOptions, startService } from './service.ts';
export { type HereOptions, type ServiceHere, startServiceHere } from './service-here.ts';
export {
  type GatewayAnswer,
  type GatewayBehaviour,
  type GatewayInbound,
  type LedgerEntry,
  type SmsGateway,
  startSmsGateway,
} from './sms-gateway.ts';
export {
  type ReceivedMail,
  type SmtpBehaviour,
  type SmtpReceiver,
  startSmtpReceiver,
} from './smtp-receiver.ts';
export { type RegisteredTenant, registerTenant } from './registered-tenants.ts';
export { addAccount, makeTenant, type TestTenant, textItem } from './tenants.ts';
export { addDeliveries, makeWebhook, toggleWebhook, webhookRow } from './webhooks.ts';
export { startHttpServer, startRawServer, type TestServer } from './servers.ts';
export { type CloudPeer, startWhatsappCloudPeer } from './whatsapp-cloud-peer.ts';
export type {
  CloudBehaviour,
  CloudLedgerEntry,
  CloudPeerOptions,
  CloudStatus,
} from './whatsapp-cloud-state.ts';
export {
  type CloudButton,
  type CloudComponent,
  type CloudTemplate,
  defaultTemplates,
} from './whatsapp-cloud-templates.ts';
export type { CloudUpload } from './whatsapp-cloud-upload.ts';
export type { TelegramAnswer, TelegramBehaviour } from './telegram/bot.ts';
export type { ChatState } from './telegram/chats.ts';
export type { TelegramEntry } from './telegram/ledger.ts';
export type { UpdateRecord } from './telegram/update-queue.ts';
export { startTelegramPeer, type TelegramPeer } from './telegram-peer.ts';
export type { PeerFile } from './peer-files.ts';
export type { Answered } from './deliver.ts';
export { type CloudFiles, type CloudInbound, inboundDocument, newWamid } from './whatsapp-cloud-inbound.ts';
export type { TwilioFiles, TwilioInbound } from './twilio-inbound.ts';
export type { VonageInbound } from './vonage-inbound.ts';
export { plainTemplate } from './templates.ts';
export type { SmsEntry } from './sms-ledger.ts';
export { defaultContents, type TwilioContent } from './twilio-contents.ts';
export { startTwilioPeer, type TwilioBehaviour, type TwilioPeer, type TwilioReport } from './twilio-peer.ts';
export { startVonagePeer, type VonageBehaviour, type VonagePeer, type VonageReport } from './vonage-peer.ts';
export { until } from './until.ts';
export { takeWholeTurn, type TurnSurroundings } from './turn.ts';
export { type RunningPrometheus, startPrometheus } from './prometheus.ts';
