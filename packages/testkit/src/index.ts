export { makeCertificate } from './certificate.ts';
export { type Compose, type ComposeService, exampleEnv, readCompose } from './compose.ts';
export { type ArchivedPostgres, startArchivedPostgres } from './databases/cluster/archived-postgres.ts';
export {
  type ClusterServer,
  type PostgresCluster,
  startPostgresCluster,
} from './databases/cluster/cluster.ts';
export { makeDatabaseFolder } from './databases/database-folder.ts';
export { type Budget, type Cost, demandBudget } from './costs/budget.ts';
export { type CostCounter, openCostCounter } from './costs/cost-counter.ts';
export { settleTogether } from './costs/settle-together.ts';
export {
  adminUrlVariable,
  emptyDatabase,
  makeTemplate,
  migrateDatabase,
  openTestDb,
  ownDatabase,
  type TestDatabase,
  testDatabase,
} from './databases/databases.ts';
export { type OwnPostgres, type OwnPostgresOptions, startOwnPostgres } from './databases/postgres.ts';
export { type Guide, type GuideBlock, readGuide } from './guides.ts';
export { histories } from './histories.ts';
export { type Answered, postedBy } from './peers/deliver.ts';
export {
  type GatewayEntry,
  type ProfileGateway,
  startProfileGateway,
} from './peers/http-sms/profiles/profile-gateway.ts';
export type { Protocol } from './peers/http-sms/profiles/protocol.ts';
export { type GatewayName, gatewayProtocols } from './peers/http-sms/profiles/protocols.ts';
export {
  type GatewayAnswer,
  type GatewayBehaviour,
  type GatewayInbound,
  type LedgerEntry,
  type SmsGateway,
  startSmsGateway,
} from './peers/http-sms/sms-gateway.ts';
export type { PeerFile } from './peers/peer-files.ts';
export { type Commands, serveControl } from './peers/peer-process.ts';
export { peers } from './peers/peers.ts';
export type { AccountSettings, PeerCallback, ProviderPeer, StartedPeer } from './peers/provider-peer.ts';
export { type S3Behaviour, type S3Peer, startS3Peer } from './peers/s3/s3-peer.ts';
export { smppMessageId, type SmppBehaviour, type SmppPeer, startSmppPeer } from './peers/smpp/smpp-peer.ts';
export type { SmsEntry } from './peers/sms-ledger.ts';
export type { TelegramAnswer, TelegramBehaviour } from './peers/telegram-bot/bot.ts';
export type { ChatState } from './peers/telegram-bot/chats.ts';
export type { TelegramEntry } from './peers/telegram-bot/ledger.ts';
export { startTelegramPeer, type TelegramPeer } from './peers/telegram-bot/telegram-peer.ts';
export type { UpdateRecord } from './peers/telegram-bot/update-queue.ts';
export { defaultContents, type TwilioContent } from './peers/twilio/twilio-contents.ts';
export type { TwilioFiles, TwilioInbound } from './peers/twilio/twilio-inbound.ts';
export {
  startTwilioPeer,
  type TwilioBehaviour,
  type TwilioPeer,
  type TwilioReport,
} from './peers/twilio/twilio-peer.ts';
export type { VonageInbound } from './peers/vonage/vonage-inbound.ts';
export {
  startVonagePeer,
  type VonageBehaviour,
  type VonagePeer,
  type VonageReport,
} from './peers/vonage/vonage-peer.ts';
export {
  type CloudFiles,
  type CloudInbound,
  inboundDocument,
  newWamid,
} from './peers/whatsapp-cloud/whatsapp-cloud-inbound.ts';
export { type CloudPeer, startWhatsappCloudPeer } from './peers/whatsapp-cloud/whatsapp-cloud-peer.ts';
export type {
  CloudBehaviour,
  CloudLedgerEntry,
  CloudPeerOptions,
  CloudStatus,
} from './peers/whatsapp-cloud/whatsapp-cloud-state.ts';
export {
  type CloudButton,
  type CloudComponent,
  type CloudTemplate,
  defaultTemplates,
} from './peers/whatsapp-cloud/whatsapp-cloud-templates.ts';
export type { CloudUpload } from './peers/whatsapp-cloud/whatsapp-cloud-upload.ts';
export { cleanEnv, hasEnded, runApp, stopChild } from './processes/child.ts';
export { endWithNpm, endWithUs, type LastSignal } from './processes/end-with-us.ts';
export { type Harm, type Harmful, type HarmfulOptions, startHarmful, untilKilled } from './processes/harm.ts';
export { type Preload, preloadOf } from './processes/preloads.ts';
export { descendantsOf, type ListedProcess, listProcesses } from './processes/process-list.ts';
export {
  type ProcessesOptions,
  type ProcessOptions,
  type RunningProcess,
  type RunningProcesses,
  startProcess,
  startProcesses,
} from './processes/processes.ts';
export { type HereOptions, type ServiceHere, startServiceHere } from './processes/service-here.ts';
export { type RunningService, type ServiceOptions, startService } from './processes/service.ts';
export { type PostedAlert, type RunningAlertmanager, startAlertmanager } from './programs/alertmanager.ts';
export type { KannelInbound } from './programs/kannel-inbound.ts';
export {
  kannelPrograms,
  kannelReportTable,
  type ReceivedSms,
  type RunningKannel,
  startKannel,
} from './programs/kannel.ts';
export { type PgBouncerOptions, type RunningPgBouncer, startPgBouncer } from './programs/pgbouncer.ts';
export {
  demandProgram,
  describeWith,
  findProgram,
  hasPrograms,
  missingPrograms,
  type Program,
  testWith,
} from './programs/programs.ts';
export { type RunningPrometheus, startPrometheus } from './programs/prometheus.ts';
export { openQueueLosses, type QueueLosses, type QueuePart } from './queues/queue-losses.ts';
export { type OwnQueue, startQueue } from './queues/queue-store.ts';
export { type OwnRedis, type RunningRedis, startOwnRedis, startRedis } from './queues/redis.ts';
export { startRedisCluster } from './queues/sets/cluster.ts';
export { createNetwork, type Network } from './queues/sets/network.ts';
export type { RedisNode } from './queues/sets/node.ts';
export { startSentinelSet } from './queues/sets/sentinel-set.ts';
export type { RedisRole, RedisSet, RedisSetOptions, RedisTopology } from './queues/sets/set.ts';
export { type ContinuingProxy, startContinuingProxy } from './receivers/continuing-proxy.ts';
export { type EventStream, openEventStream } from './receivers/event-stream.ts';
export {
  looseSpans,
  type OtlpReceiver,
  type OtlpSpan,
  startOtlpReceiver,
} from './receivers/otlp-receiver.ts';
export { type Behaviour, type Received, type Receiver, startReceiver } from './receivers/receiver.ts';
export { startHttpServer, startRawServer, type TestServer } from './receivers/servers.ts';
export {
  type ReceivedMail,
  type SmtpBehaviour,
  type SmtpReceiver,
  startSmtpReceiver,
} from './receivers/smtp-receiver.ts';
export { readMetrics, type Sample, scrape, type Scraped } from './scrape.ts';
export { type DumpedRow, dumpRows, formsOf, type Leak, leaksInRows, leaksInText } from './secrecy.ts';
export { countUsage } from './tenants/count-usage.ts';
export { inboundAccountOf, inboundText } from './tenants/inbound-text.ts';
export { type RegisteredTenant, registerTenant } from './tenants/registered-tenants.ts';
export { plainTemplate } from './tenants/templates.ts';
export { addAccount, makeTenant, type TestTenant, textItem } from './tenants/tenants.ts';
export { takeWholeTurn, type TurnSurroundings } from './tenants/turn.ts';
export { addDeliveries, makeWebhook, toggleWebhook, webhookRow } from './tenants/webhooks.ts';
export { withEnoughTime } from './enough-time.ts';
export { patient, patiently } from './patiently.ts';
export { until } from './until.ts';
export type { ProcessName } from '@notify/core';
export { freePort } from '@notify/embedded';
