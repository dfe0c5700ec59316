-- How files with the same columns were imported last, so that the next one begins with the same settings.
create table import_shapes (
  company_id uuid not null,
  object_id uuid not null,
  -- A hash of the column names.
  shape text not null,
  settings jsonb not null,
  used_at timestamptz not null,
  primary key (company_id, object_id, shape),
  foreign key (company_id, object_id) references objects (company_id, id) on delete cascade
);
