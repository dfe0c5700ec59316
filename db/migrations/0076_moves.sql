-- Which file of a move a problem is in; null for other jobs.
alter table job_problems add column part smallint;
