-- A row that was imported, but without a value that could not be found: it did not fail.
alter table job_problems add column is_note boolean not null default false;
