-- Long-running work that people and agents see. It runs in steps; each step commits its changes and its progress together.
create table jobs (
  company_id uuid not null references companies (id),
  id uuid not null,
  kind text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'cancelled', 'failed', 'undone')),
  object text,
  input jsonb not null,
  -- Where the next step continues; null before the first.
  cursor jsonb,
  total int,
  done int not null default 0,
  changed int not null default 0,
  failed int not null default 0,
  result jsonb,
  -- Why it stopped, in words.
  message text,
  -- All steps write under this one change set, so that the job can be undone.
  change_set_id uuid not null,
  -- How many changes the change set has.
  changes int not null default 0,
  created_by uuid not null,
  api_key_id uuid,
  door text not null,
  client text,
  request_id text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  cancelled_by uuid,
  -- The process that works on it, and until when it may: after a crash another one takes over.
  -- How often it was begun since its last step succeeded.
  attempts int not null default 0,
  leased_by text,
  leased_until timestamptz,
  primary key (company_id, id)
);
create index jobs_to_run on jobs (leased_until) where state in ('waiting', 'running');
create index jobs_of_user on jobs (company_id, created_by, id);
create index jobs_by_change_set on jobs (company_id, change_set_id);

-- What a job could not do, row by row.
create table job_problems (
  company_id uuid not null,
  job_id uuid not null,
  position int not null,
  -- The row of the file, or null.
  line int,
  record_id uuid,
  message text not null,
  -- What was in the row, for the file of failed rows.
  data jsonb,
  primary key (company_id, job_id, position),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete cascade
);
