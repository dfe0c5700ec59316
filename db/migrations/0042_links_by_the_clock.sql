-- A transaction that began before a merge and waited may make a link after it: when it was made is what counts.
alter table conversation_links alter column linked_at set default clock_timestamp();
