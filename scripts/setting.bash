#!/usr/bin/env bash
# Part of other scripts, which run in the folder of .env.

setting() { # setting NAME: its value, of the shell or in .env, as Docker Compose reads it: without BOM, CR, "export", quotes and comment
  if [ -n "${!1+set}" ]; then echo "${!1}" && return; fi
  [ -e .env ] || return 0
  LC_ALL=C sed -nE "1s/^\xEF\xBB\xBF//; s/\r$//
    s/^[ \t]*(export[ \t]+)?$1[ \t]*=[ \t]*(\"([^\"]*)\"|'([^']*)'|([^ \t]*)).*/\3\4\5/p" .env | tail -1
}
