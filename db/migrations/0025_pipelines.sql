-- The pipelines of deals and their stages. They replace the options of the built-in fields pipeline and stage, which
-- engine/objects/first-pipelines.ts moves here company by company.
create table pipelines (
  company_id uuid not null references companies (id),
  id uuid not null,
  key text not null,
  name text not null,
  asks_lost_reason boolean not null,
  position int not null,
  archived_at timestamptz,
  primary key (company_id, id),
  unique (company_id, key)
);

create table stages (
  company_id uuid not null,
  id uuid not null,
  pipeline_id uuid not null,
  key text not null,
  name text not null,
  color text not null,
  kind text not null check (kind in ('open', 'won', 'lost')),
  probability int check (probability between 0 and 100),
  -- Keys of fields of deals that must have a value on entering.
  required_fields text[] not null default '{}',
  stuck_after_days int,
  position int not null,
  archived_at timestamptz,
  -- The stage that deals of this pipeline were in while pipelines shared their stages.
  shared_key text,
  primary key (company_id, id),
  unique (company_id, key),
  foreign key (company_id, pipeline_id) references pipelines (company_id, id)
);
