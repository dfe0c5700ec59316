-- When a link was made, by the clock of the database.
alter table conversation_links add column linked_at timestamptz not null default now();

-- What moved when this record was merged into another one, so that it can be undone: the record, the change set, whether the
-- link of the other record is new, and the participants who became it.
alter table conversation_links add column merged jsonb;

create index messages_failed on messages (company_id, conversation_id) where state in ('failed', 'unknown');
