-- concurrently
create index concurrently if not exists files_of_records on files (company_id, record_id) where record_id is not null;
