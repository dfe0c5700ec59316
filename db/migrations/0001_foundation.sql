-- Companies, people, sign-in, keys, and the record of what was done.
-- Every table of a company's data leads with company_id; tables looked up before the company is known do not.

create table companies (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table roles (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  is_admin boolean not null default false,
  grants text[] not null default '{}',
  primary key (company_id, id),
  unique (company_id, name)
);

create table users (
  company_id uuid not null references companies (id),
  id uuid not null,
  role_id uuid not null,
  name text not null,
  email text not null,
  password_hash text,
  theme text not null default 'system',
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, role_id) references roles (company_id, id)
);

-- One e-mail signs in to one company, across all companies.
create table sign_in_emails (
  email text primary key,
  company_id uuid not null,
  user_id uuid not null,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create table sessions (
  token_hash bytea primary key,
  id uuid not null unique,
  company_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ip text,
  user_agent text,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
create index sessions_by_user on sessions (company_id, user_id);

create table sign_in_failures (
  id uuid primary key,
  email_hash bytea not null,
  ip text not null,
  at timestamptz not null
);
create index sign_in_failures_by_ip on sign_in_failures (ip, at);

create table api_keys (
  key_hash bytea primary key,
  id uuid not null unique,
  company_id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
create index api_keys_by_user on api_keys (company_id, user_id);

create table change_sets (
  company_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  operation text not null,
  actor_id uuid,
  door text not null,
  api_key_id uuid,
  client text,
  request_id text not null,
  undo_of uuid,
  primary key (company_id, id)
);
create index change_sets_by_actor on change_sets (company_id, actor_id, id);
create index change_sets_by_key on change_sets (company_id, api_key_id, id) where api_key_id is not null;

create table changes (
  company_id uuid not null,
  change_set_id uuid not null,
  position int not null,
  object text not null,
  record_id uuid not null,
  action text not null,
  fields jsonb not null,
  primary key (company_id, change_set_id, position),
  foreign key (company_id, change_set_id) references change_sets (company_id, id)
);
create index changes_by_record on changes (company_id, record_id, change_set_id);

create table audit_events (
  company_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  action text not null,
  actor_id uuid,
  door text not null,
  api_key_id uuid,
  target_id uuid,
  ip text,
  request_id text not null,
  data jsonb not null,
  primary key (company_id, id)
);
create index audit_events_by_actor on audit_events (company_id, actor_id, id);
create index audit_events_by_request on audit_events (company_id, request_id);

-- Written in the transaction of the change, emptied by the dispatcher.
create table outbox (
  id uuid primary key,
  company_id uuid not null,
  event text not null,
  payload jsonb not null,
  actor_id uuid,
  request_id text not null,
  at timestamptz not null
);

create table idempotency_keys (
  company_id uuid not null,
  user_id uuid not null,
  operation text not null,
  key text not null,
  input_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (company_id, user_id, operation, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- The request id is ordered by time, so that one index finds a request, lists the newest and drops the oldest.
create table requests (
  company_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  door text not null,
  method text not null,
  route text not null,
  operation text,
  status int not null,
  duration_ms double precision not null,
  user_id uuid,
  api_key_id uuid,
  client text,
  error_code text,
  primary key (company_id, id)
);
