-- Company details, roles, members, links that let somebody in, sign-in in two steps, notifications, outgoing mail.

create table pictures (
  company_id uuid not null references companies (id),
  id uuid not null,
  type text not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (company_id, id)
);

alter table companies
  add column logo_id uuid,
  add column currency text not null default 'USD',
  add column time_zone text not null default 'UTC',
  add column language text not null default 'en-US',
  add column first_weekday text not null default 'monday',
  add column audit_days int,
  add column request_days int not null default 7,
  add column trash_days int not null default 30;

-- What one unit of a currency is worth in the company's own.
create table currency_rates (
  company_id uuid not null references companies (id),
  currency text not null,
  rate numeric not null check (rate > 0),
  primary key (company_id, currency)
);

alter table roles
  add column description text not null default '',
  add column is_built_in boolean not null default false,
  add column records jsonb not null default '{"*": {"read": "all", "create": true, "edit": "all", "delete": "own"}}';
update roles set is_built_in = true where name in ('Admin', 'Member');
update roles set grants = '{records.export,messages.send}' where is_built_in and not is_admin;

alter table users
  alter column email drop not null,
  add column kind text not null default 'person',
  add column language text,
  add column time_zone text,
  add column shortcuts boolean not null default true,
  add column picture_id uuid,
  add column invited_by uuid,
  add column removed_at timestamptz,
  add column last_seen_at timestamptz,
  add column totp_secret bytea,
  add column totp_on_since timestamptz,
  -- The newest time step whose code was used: a code works once.
  add column totp_last_step bigint;

-- A link that lets somebody in once: an invitation or a new password.
create table account_links (
  token_hash bytea primary key,
  id uuid not null unique,
  company_id uuid not null,
  user_id uuid not null,
  kind text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  created_by uuid,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
create index account_links_by_user on account_links (company_id, user_id, kind);

create table recovery_codes (
  company_id uuid not null,
  user_id uuid not null,
  code_hash bytea not null,
  primary key (company_id, user_id, code_hash),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

-- A password was right and the second step is awaited.
create table sign_in_steps (
  token_hash bytea primary key,
  company_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null,
  attempts int not null default 0,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create table passkeys (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
create index passkeys_by_user on passkeys (company_id, user_id);

-- Each is answered once, within minutes. user_id: for whom a passkey is to be made; none at sign-in.
create table passkey_challenges (
  challenge text primary key,
  user_id uuid,
  created_at timestamptz not null
);

create table notifications (
  company_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  data jsonb not null,
  actor_id uuid,
  at timestamptz not null,
  read_at timestamptz,
  -- A row for mail alone is kept only so that the mail goes out once.
  in_app boolean not null default true,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
create index notifications_by_user on notifications (company_id, user_id, id);
create index notifications_unread on notifications (company_id, user_id) where read_at is null;

create table notification_choices (
  company_id uuid not null,
  user_id uuid not null,
  kind text not null,
  app boolean not null,
  email boolean not null,
  primary key (company_id, user_id, kind),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create table mail_settings (
  company_id uuid primary key references companies (id),
  host text not null,
  port int not null,
  security text not null,
  username text,
  -- Sealed with the installation's key.
  password bytea,
  from_name text not null,
  from_email text not null
);

-- Facts about this installation, such as which key seals its secrets.
create table installation (
  name text primary key,
  value text not null
);

-- As text, so that a repeated answer is the same to the byte: jsonb would put its properties into an order of its own.
alter table idempotency_keys alter column answer type json using answer::json;
