-- What “…” stands for in the message of a group: the first few different values in its rows.
alter table job_problem_groups add column names jsonb not null default '[]';
