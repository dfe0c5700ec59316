-- What happens by itself when someone writes. See contract/inbox-rules.ts.
create table inbox_rules (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  is_on boolean not null default true,
  -- conversation_created or message_received.
  starts_on text not null,
  -- Canonical, with the IDs of users, records and labels. Null: everything.
  filter text,
  -- Empty: all channels of the team.
  channel_ids uuid[] not null default '{}',
  -- always, working_hours or outside_hours.
  during text not null default 'always',
  actions jsonb not null,
  stop_here boolean not null default false,
  position int not null,
  -- Whose rights it acts with: the one who saved it last.
  owner_id uuid not null,
  -- Whose turn it is, for assignments in turn.
  turns bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);

-- What rules did, kept for 30 days.
create table inbox_rule_runs (
  company_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  conversation_id uuid not null,
  message_id uuid not null,
  at timestamptz not null,
  -- What it did, and what it could not do, as sentences.
  done text[] not null,
  problems text[] not null,
  primary key (company_id, id)
);
create index inbox_rule_runs_of_rule on inbox_rule_runs (company_id, rule_id, id desc);

-- When rules were applied to it: once, also if the process dies.
alter table messages add column rules_at timestamptz;
-- The rule that wrote it, or that caused what happened.
alter table messages add column rule_id uuid;

-- Working hours and targets of the company (scope_id is its ID) and of channels that have their own.
create table inbox_hours (
  company_id uuid not null references companies (id),
  scope_id uuid not null,
  -- Null for the company: always open. Null for a channel: those of the company.
  hours jsonb,
  -- Null for a channel: those of the company.
  targets jsonb,
  updated_at timestamptz not null,
  primary key (company_id, scope_id)
);

-- From when an outsider began or reopened a conversation of the team until it was closed.
create table conversation_openings (
  company_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  assignee_id uuid,
  opened_at timestamptz not null,
  -- Targets in working minutes, as they were when they last mattered; null: none.
  response_target int,
  resolution_target int,
  response_due_at timestamptz,
  responded_at timestamptz,
  responded_by uuid,
  -- Working time until then.
  response_seconds int,
  resolution_due_at timestamptz,
  closed_at timestamptz,
  closed_by uuid,
  -- Working time until then, without the time it was snoozed.
  resolution_seconds int,
  -- Snoozed since then.
  paused_at timestamptz,
  -- Working time that it was snoozed, or closed before someone opened it again.
  paused_seconds int not null default 0,
  -- When a target was missed, written once.
  response_missed_at timestamptz,
  resolution_missed_at timestamptz,
  -- The next target that can be missed.
  due_at timestamptz,
  -- Spam, or merged into another one: it counts in no report.
  is_left_out boolean not null default false,
  primary key (company_id, id)
);
create unique index conversation_openings_open on conversation_openings (company_id, conversation_id) where closed_at is null;
create index conversation_openings_of on conversation_openings (company_id, conversation_id, opened_at desc);
create index conversation_openings_due on conversation_openings (company_id, due_at) where due_at is not null;
create index conversation_openings_newest on conversation_openings (company_id, opened_at);

-- Null: no target, or it is met, or, of the resolution, the conversation is snoozed.
alter table conversations add column response_due_at timestamptz;
alter table conversations add column resolution_due_at timestamptz;
alter table conversations add column due_at timestamptz not null
  generated always as (least(coalesce(response_due_at, 'infinity'), coalesce(resolution_due_at, 'infinity'))) stored;
create index conversations_by_due on conversations (company_id, audience, state, due_at, id) where merged_into is null;
