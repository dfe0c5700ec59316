-- Texts of deals that became choices: set until a job has replaced the texts in records by options.
alter table companies add column has_text_choices boolean not null default false;
