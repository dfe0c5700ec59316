-- Rows of an import that name a record of the same object which does not exist yet. A later row may create it, so they are
-- imported after all others. They are removed when they are done.
create table import_rows (
  company_id uuid not null,
  job_id uuid not null,
  -- In the file.
  position int not null,
  line int not null,
  cells jsonb not null,
  -- Of a row that was imported without its links, because it is part of a circle.
  record_id uuid,
  primary key (company_id, job_id, position),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete cascade
);

-- What other rows may call them, hashed.
create table import_row_keys (
  company_id uuid not null,
  job_id uuid not null,
  position int not null,
  key text not null,
  primary key (company_id, job_id, position, key),
  foreign key (company_id, job_id, position) references import_rows (company_id, job_id, position) on delete cascade
);
create index import_row_keys_by_key on import_row_keys (company_id, job_id, key, position);

-- The person through whom a record was linked to a conversation. If a merge brought that person to the conversation and is
-- undone, the link goes with it.
alter table conversation_links add column via uuid;
