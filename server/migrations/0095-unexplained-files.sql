-- A file whose content differs a lot from its read, without an explanation: nothing was certain, or no engine could tell.
alter table misfit alter column kind drop not null;
alter table misfit add column reason text;
alter table misfit add constraint misfit_explained check ((kind is null) = (reason is not null));
