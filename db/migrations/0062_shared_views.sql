-- Views that are shared with some members. Those that are shared with the company have is_shared.
alter table views add column shared_with uuid[] not null default '{}';
