-- Which version of contract/built-in/views.ts the company has. 0: none of them yet.
alter table companies add column built_in_views_version int not null default 0;
