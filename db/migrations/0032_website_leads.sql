-- Where leads come from: a form on a website, or a server.
create table lead_sources (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  -- Leads are created with the rights of this user.
  owner_id uuid not null,
  is_active boolean not null default true,
  -- Fields, texts, look, origins, assignment and the rest; see contract/lead-sources.ts.
  settings jsonb not null,
  -- The version of the consent text that is shown now; null: none.
  consent_version int,
  -- How many leads have been assigned in turn.
  turns bigint not null default 0,
  created_at timestamptz not null,
  created_by uuid,
  deleted_at timestamptz,
  primary key (company_id, id)
);

-- Every consent text that was ever shown, because submissions refer to their version.
create table lead_consent_texts (
  company_id uuid not null,
  source_id uuid not null,
  version int not null,
  text text not null,
  created_at timestamptz not null,
  created_by uuid,
  primary key (company_id, source_id, version)
);

-- What was sent, as it came, before anything else happens with it.
create table lead_submissions (
  company_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  -- Of the form; a submission that is sent again has the same.
  token_id uuid,
  received_at timestamptz not null,
  state text not null,
  outcome text,
  reason text,
  lead_id uuid,
  change_set_id uuid,
  email text,
  name text,
  via text not null,
  body jsonb not null,
  page text,
  referrer text,
  first_utm jsonb not null default '{}',
  last_utm jsonb not null default '{}',
  consent_version int,
  consent_at timestamptz,
  confirmed_at timestamptz,
  replied_at timestamptz,
  -- Shortened after 30 days.
  ip text,
  user_agent text,
  spam_score int not null default 0,
  spam_reasons jsonb not null default '[]',
  processed_at timestamptz,
  -- Null: nothing more is going to happen by itself.
  next_attempt_at timestamptz,
  attempts int not null default 0,
  primary key (company_id, id)
);
create unique index lead_submissions_token on lead_submissions (company_id, token_id);
create index lead_submissions_due on lead_submissions (company_id, next_attempt_at) where next_attempt_at is not null;
create index lead_submissions_by_source on lead_submissions (company_id, source_id, id);
create index lead_submissions_by_state on lead_submissions (company_id, state, id);
create index lead_submissions_by_email on lead_submissions (company_id, email, id) where email is not null;
create index lead_submissions_by_lead on lead_submissions (company_id, lead_id, id) where lead_id is not null;

alter table companies
  -- Target for the first response to a lead; null: none.
  add column lead_response_minutes int,
  -- Points by filter; part of the cached schema.
  add column lead_score_rules jsonb not null default '[]';

-- The first and last day that a user is away.
alter table users add column away_from date, add column away_until date;
