import type { Template, TemplateStatus } from '@notify/core';
import type { ColumnType } from 'kysely';
import type { Time, TimeOrNull } from './column-types.ts';

/** The part of a template that only a synchronisation changes. */
export type TemplateShape = Omit<Template, 'name' | 'language' | 'status' | 'reason'>;

/** The tables of the room `templates`. */
export interface TemplateTables {
  /** Accounts whose provider has templates, and when those were read. */
  account_template_syncs: {
    account_id: string;
    provider: string;
    /** The next synchronisation. */
    due_at: Time;
    /** When somebody last asked for one. */
    asked_at: TimeOrNull;
    claimed_by: string | null;
    /** When the last synchronisation began. */
    claimed_at: TimeOrNull;
    claimed_until: TimeOrNull;
    synced_at: TimeOrNull;
    /** The failure of the last synchronisation. Null after a success. */
    failed_at: TimeOrNull;
    failure: string | null;
    /** SHA-256 of the stored list. Null after a callback changed a template. */
    digest: Buffer | null;
  };
  account_templates: {
    account_id: string;
    name: string;
    language: string;
    status: TemplateStatus;
    reason: string | null;
    content: ColumnType<TemplateShape, string, string>;
    /** When a callback last changed the status. */
    changed_at: TimeOrNull;
  };
}
