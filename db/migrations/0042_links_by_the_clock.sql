-- A transaction that began before a merge and waited may make a link after it: when it was made is what counts.
alter table conversation_links alter column linked_at set default clock_timestamp();

-- What moved with a merge is found when it is undone.
create index conversation_links_merged on conversation_links (company_id, (merged ->> 'change_set_id')) where merged is not null;
