-- Whether no one had read it on the server when the folder was last compared.
alter table message_places add column is_unseen boolean not null default false;

-- Where the sender wants replies, if it is another address.
alter table messages add column reply_address text;
