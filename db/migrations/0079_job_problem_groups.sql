-- The problems of a job by kind: of a large import, people read one line instead of thousands.
create table job_problem_groups (
  company_id uuid not null,
  job_id uuid not null,
  -- The hash of the file, the message and whether it is a note.
  key text not null,
  part smallint,
  -- Without what is in the rows.
  message text not null,
  is_note boolean not null,
  count int not null,
  -- The first of them: line, record_id and value.
  first_rows jsonb not null,
  primary key (company_id, job_id, key),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete cascade
);
