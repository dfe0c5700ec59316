-- Up to where a folder is known, so that only what changed since then is read: the server's mark for changes, the next UID,
-- how many messages it had, and when it was last compared as a whole. Null: it has to be compared.
alter table channel_folders add column mark jsonb;

-- Messages that could not be read, and those that no one has read there, without looking at all the others.
create index message_places_of_faults on message_places (company_id, channel_id, path) where message_id is null;
create index message_places_unseen on message_places (company_id, channel_id, path, uid_validity, uid) where is_unseen;
