-- The addresses of proxies that forward requests although they are not trusted. Older versions report one, in untrusted_proxy.
alter table portal_report add column untrusted_proxies text[] not null default '{}';
