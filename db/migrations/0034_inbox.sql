-- What carries messages: a mailbox, later also other kinds. See contract/channels.ts.
create table channels (
  company_id uuid not null references companies (id),
  id uuid not null,
  kind text not null,
  name text not null,
  -- What outsiders write to.
  address text not null,
  -- A personal channel: what arrives there is for this user alone until it is shared. Null: for the team.
  owner_id uuid,
  is_shared boolean not null default false,
  -- Depends on the kind; secrets are encrypted.
  settings jsonb not null,
  secrets bytea,
  signature text not null default '',
  -- What becomes of people who write and are unknown: person, lead or nothing.
  unknown_senders text not null default 'nothing',
  -- Whether agents may send or only propose.
  agents text not null default 'draft',
  hourly_limit int not null default 200,
  -- The hour that the figure is about.
  hour timestamptz,
  hour_used int not null default 0,
  state text not null default 'connecting',
  state_reason text,
  state_at timestamptz,
  -- The process that holds the connection.
  leased_by uuid,
  leased_until timestamptz,
  -- Work that must be done again as soon as possible: the settings changed, or someone asked for it.
  wanted_at timestamptz,
  created_at timestamptz not null,
  created_by uuid,
  disconnected_at timestamptz,
  -- When its messages are deleted, if it was disconnected because its owner left.
  purge_at timestamptz,
  deleted_at timestamptz,
  primary key (company_id, id)
);

create table channel_folders (
  company_id uuid not null,
  channel_id uuid not null,
  path text not null,
  -- inbox, sent, archive or other.
  role text not null,
  uid_validity bigint,
  -- Everything above is read; everything from oldest_uid to it too.
  last_uid bigint not null default 0,
  oldest_uid bigint,
  is_complete boolean not null default false,
  server_count int,
  our_count int not null default 0,
  last_success_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  primary key (company_id, channel_id, path)
);

-- Where on a server a message is. The same message can be in several folders and mailboxes.
create table message_places (
  company_id uuid not null,
  channel_id uuid not null,
  path text not null,
  uid_validity bigint not null,
  uid bigint not null,
  -- Null: set aside, see channel_faults, or of no interest.
  message_id uuid,
  primary key (company_id, channel_id, path, uid_validity, uid)
);
create index message_places_of_message on message_places (company_id, message_id) where message_id is not null;

-- Messages that could not be read, set aside so that the others are.
create table channel_faults (
  company_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  path text,
  uid bigint,
  reason text not null,
  -- As it came, if it could be had; at most 1 MB.
  source bytea,
  at timestamptz not null,
  primary key (company_id, id)
);
create index channel_faults_of_channel on channel_faults (company_id, channel_id, id);

-- audience: who may read it. The company's ID for channels of the team, the channel's for a personal one.
create table conversations (
  company_id uuid not null references companies (id),
  id uuid not null,
  audience uuid not null,
  channel_id uuid not null,
  subject text not null default '',
  -- Folded, for filters; of participants, each address and name on a line of its own.
  subject_folded text not null default '',
  participants_folded text not null default '',
  state text not null default 'open',
  snoozed_until timestamptz,
  assignee_id uuid,
  label_ids uuid[] not null default '{}',
  -- Outsiders, as {address, name, person_id}; the first is who it is with.
  participants jsonb not null default '[]',
  -- Shown in lists.
  preview text not null default '',
  last_direction text,
  message_count int not null default 0,
  has_files boolean not null default false,
  has_draft boolean not null default false,
  created_at timestamptz not null,
  last_message_at timestamptz not null,
  last_in_at timestamptz,
  last_out_at timestamptz,
  -- When the newest message arrived that no one has read elsewhere. See conversation_reads.
  unread_at timestamptz,
  first_response_at timestamptz,
  closed_at timestamptz,
  -- It may belong to this one: a known reference of a stranger, or the same subject.
  maybe_id uuid,
  -- It was merged into this one.
  merged_into uuid,
  version int not null default 1,
  primary key (company_id, id)
);
create index conversations_newest on conversations (company_id, audience, state, last_message_at desc, id desc) where merged_into is null;
create index conversations_by_assignee on conversations (company_id, assignee_id, state, last_message_at desc, id desc) where merged_into is null;
create index conversations_unassigned on conversations (company_id, audience, state, last_message_at desc, id desc)
  where merged_into is null and assignee_id is null;
create index conversations_by_channel on conversations (company_id, channel_id, state, last_message_at desc, id desc) where merged_into is null;
create index conversations_snoozed on conversations (company_id, snoozed_until) where snoozed_until is not null;
create index conversations_by_label on conversations using gin (label_ids);
create index conversations_by_subject on conversations (company_id, audience, subject, last_message_at desc);

-- Addresses of outsiders, to find conversations of a person, and those a stranger's message may join.
create table conversation_addresses (
  company_id uuid not null,
  address text not null,
  conversation_id uuid not null,
  primary key (company_id, address, conversation_id)
);
create index conversation_addresses_of on conversation_addresses (company_id, conversation_id);

-- Records that a conversation is about.
create table conversation_links (
  company_id uuid not null,
  record_id uuid not null,
  conversation_id uuid not null,
  object text not null,
  primary key (company_id, record_id, conversation_id)
);
create index conversation_links_of on conversation_links (company_id, conversation_id);

-- Unread for a user: read before `unread_at`, or never. '-infinity': marked as unread.
create table conversation_reads (
  company_id uuid not null,
  conversation_id uuid not null,
  user_id uuid not null,
  read_at timestamptz not null,
  primary key (company_id, conversation_id, user_id)
);

create table messages (
  company_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  audience uuid not null,
  channel_id uuid not null,
  -- message, note (internal) or event (what happened to the conversation).
  kind text not null,
  -- in or out; null for notes and events.
  direction text,
  at timestamptz not null,
  -- Who wrote it: a user, or nobody of the company. Sent by an agent: with the key.
  user_id uuid,
  api_key_id uuid,
  client text,
  from_address text,
  from_name text,
  recipients jsonb not null default '[]',
  subject text not null default '',
  text text not null default '',
  -- Safe, see server/inbox/content/safe-html.ts. Null: the text is all there is.
  html text,
  -- Where the quote begins in the text; null: none.
  quote_at int,
  files jsonb not null default '[]',
  remote_images int not null default 0,
  -- received; waiting, sending, sent, delivered, read, failed, unknown, cancelled for outgoing ones.
  state text not null,
  state_reason text,
  state_at timestamptz,
  -- The provider's ID, such as the Message-ID, and what it is recognized by.
  provider_id text,
  key text,
  reply_to_id uuid,
  is_automatic boolean not null default false,
  -- For outgoing ones. send_at: until it was sent or given up.
  send_at timestamptz,
  -- Recipients can unsubscribe by a link.
  can_unsubscribe boolean not null default false,
  attempts int not null default 0,
  leased_by uuid,
  leased_until timestamptz,
  -- What happened, for events.
  data jsonb,
  search tsvector not null default ''::tsvector,
  primary key (company_id, id)
);
create unique index messages_once on messages (company_id, audience, key) where key is not null;
create index messages_of_conversation on messages (company_id, conversation_id, at, id);
create index messages_due on messages (company_id, send_at) where send_at is not null;
-- With the audience, so that the messages of others are not even looked at.
create index messages_search on messages using gin ((array[audience]), search);
create index messages_newest on messages (company_id, audience, at desc) where kind <> 'event';

-- Keys that messages refer to and that have not arrived. If they do, they belong to the same conversation.
create table message_references (
  company_id uuid not null,
  audience uuid not null,
  key text not null,
  conversation_id uuid not null,
  -- The message that refers to it.
  message_id uuid not null,
  primary key (company_id, audience, key)
);
create index message_references_of_conversation on message_references (company_id, conversation_id);

create table message_drafts (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  conversation_id uuid,
  content jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
create unique index message_drafts_one on message_drafts (company_id, user_id, conversation_id) where conversation_id is not null;

-- Merged and split, so that it can be undone.
create table conversation_moves (
  company_id uuid not null,
  id uuid not null,
  kind text not null,
  from_id uuid not null,
  to_id uuid not null,
  message_ids uuid[] not null,
  data jsonb not null default '{}',
  at timestamptz not null,
  by uuid,
  undone_at timestamptz,
  primary key (company_id, id)
);

create table conversation_labels (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  color text not null,
  primary key (company_id, id)
);
create unique index conversation_labels_name on conversation_labels (company_id, lower(name));

create table message_templates (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  subject text not null default '',
  text text not null,
  owner_id uuid not null,
  is_shared boolean not null default false,
  created_at timestamptz not null,
  primary key (company_id, id)
);

create table inbox_views (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  filter text,
  owner_id uuid not null,
  is_shared boolean not null default false,
  position int not null default 0,
  primary key (company_id, id)
);

-- Who looks at a conversation right now.
create unlogged table conversation_visits (
  company_id uuid not null,
  conversation_id uuid not null,
  user_id uuid not null,
  seen_at timestamptz not null,
  typing_until timestamptz,
  primary key (company_id, conversation_id, user_id)
);

-- What an agent wants to do and a person decides. See contract/proposals.ts.
create table proposals (
  company_id uuid not null,
  id uuid not null,
  kind text not null,
  state text not null default 'waiting',
  user_id uuid not null,
  api_key_id uuid,
  client text,
  reason text not null default '',
  -- Why a person decides.
  rule text not null,
  -- What it would do, and the version of what it was made for.
  content jsonb not null,
  conversation_id uuid,
  made_for_version int,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid,
  note text not null default '',
  result jsonb,
  primary key (company_id, id)
);
create index proposals_waiting on proposals (company_id, expires_at) where state = 'waiting';
create index proposals_newest on proposals (company_id, id desc);
create index proposals_of_conversation on proposals (company_id, conversation_id, id) where conversation_id is not null;

-- How long the mail of someone who left is kept, and what agents may do.
alter table companies add column inbox_settings jsonb not null default '{}';
