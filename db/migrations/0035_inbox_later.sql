-- What happened in the inbox, kept as long as the history of records can be listed and replayed as events. What happens in
-- private mailboxes is never here.
create table inbox_events (
  company_id uuid not null,
  -- Also that of the event for webhooks. In the order in which things happened, together with change sets.
  id uuid not null,
  type text not null,
  conversation_id uuid not null,
  at timestamptz not null,
  version int not null,
  -- The conversation as it was a moment later, without texts.
  record jsonb not null,
  primary key (company_id, id)
);
create index inbox_events_of_conversation on inbox_events (company_id, conversation_id, id);

-- Nothing reads it: whether there is a draft depends on who asks.
alter table conversations drop column has_draft;

-- Whether a message without references joins a conversation with its sender and subject.
alter table channels add column joins_subjects boolean not null default false;

-- How the words of messages are indexed. Messages of existing companies are indexed again by a job.
alter table companies add column message_index_version int not null default 1;
alter table companies alter column message_index_version set default 2;
