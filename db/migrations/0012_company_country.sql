-- Where phone numbers are from. Without it: the country of the company's language, as before.
alter table companies add column country text;
