#!/bin/sh
# Creates the database, and its owner, who is no superuser. PostgreSQL's image runs this once, when it creates its data.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/owner-password)" --username=postgres <<'SQL'
create role mintmark login createrole password :'password';
create database mintmark owner mintmark;
SQL
