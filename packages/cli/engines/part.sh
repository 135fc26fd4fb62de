#!/bin/sh
# Converts one part of a file, for whatever counts from 0 and may try a part again, or twice at once: Kubernetes
# Indexed Jobs, AWS Batch arrays, Slurm arrays, xargs. Any POSIX shell runs it.
usage='usage: part.sh IN OUT STEP [INDEX] OPTION...
       part.sh --count IN STEP
       part.sh --check OUT

The first form converts the records that begin in bytes INDEX * STEP to (INDEX + 1) * STEP - 1 of IN, with
options of utf8 convert such as --format copy --from cesu-8+utf-8. INDEX is by default that of the engine:
JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX or SLURM_ARRAY_TASK_ID. In the folder OUT, with nine digits:

  part/000000007     the part; cat OUT/part/* joins all
  rejects/000000007  refused records, unless --strict is given or there is no --format
  stats/000000007    counts as JSON; written last, so that a part that has it is done, and not done again
  job                what all parts have in common; a part of another job is refused

--count prints how many parts there are, from INDEX 0 on.
--check prints the INDEX of each part that is missing, and ends with 1 if there is one.

The exit code is that of utf8 convert: 0 done (or no such part), 1 and 2 would fail again, 3 and 75 may pass.
The variable UTF8 names the program if it is not utf8 on the PATH.'

set -eu
LC_ALL=C
utf8=${UTF8:-utf8}

fail() {
  code=$1
  shift
  printf 'part.sh: %s\n' "$*" >&2
  exit "$code"
}

# Sets `number` to a whole number without leading zeros, which would make it octal. More digits could overflow.
read_number() {
  case $2 in
  '' | *[!0-9]* | ????????????????*) fail 2 "$1 \"$2\": expected a whole number of up to 15 digits" ;;
  esac
  number=$2
  while :; do
    case $number in
    0?*) number=${number#0} ;;
    *) break ;;
    esac
  done
}

# Size in bytes, and time of the last change in seconds, as GNU and BusyBox print them, or as BSD does. Of what a link
# leads to.
describe() {
  stat -L -c '%s %Y' "$1" 2>/dev/null || stat -L -f '%z %m' "$1"
}

# Sets `size`, `modified` and `parts`.
measure() {
  [ -f "$1" ] || fail 3 "$1: no such file"
  description=$(describe "$1") || fail 3 "$1: its size cannot be found out"
  size=${description% *}
  modified=${description#* }
  count_parts
}

# An empty file is one empty part.
count_parts() {
  [ "$step" -gt 0 ] || fail 2 'STEP must be 1 or more'
  parts=$(((size + step - 1) / step))
  [ "$parts" -gt 0 ] || parts=1
  [ "$parts" -le 1000000000 ] || fail 2 "STEP $step would make $parts parts; choose a larger one"
}

# A name such as -x is no option.
read_path() {
  case $1 in
  -*) path=./$1 ;;
  *) path=$1 ;;
  esac
}

case ${1-} in
-h | --help)
  printf '%s\n' "$usage"
  exit
  ;;
--count)
  [ $# -eq 3 ] || fail 2 "$usage"
  read_path "$2"
  read_number STEP "$3"
  step=$number
  measure "$path"
  echo "$parts"
  exit
  ;;
--check)
  [ $# -eq 2 ] || fail 2 "$usage"
  read_path "$2"
  cd "$path" 2>/dev/null || fail 3 "$path: no such folder"
  [ -f job ] || fail 3 "$path: no part has been begun here"
  size=$(sed -n 's/^bytes //p' job)
  step=$(sed -n 's/^step //p' job)
  count_parts
  missing=0
  i=0
  while [ "$i" -lt "$parts" ]; do
    name=$(printf %09d "$i")
    if [ ! -f "stats/$name" ] || [ ! -f "part/$name" ]; then
      echo "$i"
      missing=$((missing + 1))
    fi
    i=$((i + 1))
  done
  [ "$missing" -eq 0 ] || fail 1 "$missing of $parts parts are missing"
  # The file was read from its start to its end, and nothing twice.
  sums=$(cd stats && printf '%s\n' * | xargs cat |
    awk '/^  "bytesRead":/ { bytes += $2 } /^    "in":/ { records += $2 } /^    "rejected":/ { rejected += $2 }
      END { printf "%.0f %.0f %.0f", bytes, records, rejected }')
  bytes=${sums%% *}
  records=${sums#* }
  [ "$bytes" = "$size" ] || fail 1 "the parts have read $bytes bytes of $size; begin again in another folder"
  echo "part.sh: $parts parts are done: $bytes bytes, ${records% *} records, ${records#* } of them rejected" >&2
  exit
  ;;
esac

[ $# -ge 3 ] || fail 2 "$usage"
read_path "$1"
in=$path
read_path "$2"
out=$path
read_number STEP "$3"
step=$number
shift 3
index=${JOB_COMPLETION_INDEX:-${AWS_BATCH_JOB_ARRAY_INDEX:-${SLURM_ARRAY_TASK_ID-}}}
case ${1-} in
'' | -*) ;;
*)
  index=$1
  shift
  ;;
esac
[ "${1-}" != -- ] || shift
[ -n "$index" ] || fail 2 'no INDEX, and none in JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX or SLURM_ARRAY_TASK_ID'
read_number INDEX "$index"
index=$number

# Takes --strict out of the options, and looks at the others.
strict=
format=
count=$#
while [ "$count" -gt 0 ]; do
  option=$1
  shift
  count=$((count - 1))
  case $option in
  --strict)
    strict=yes
    continue
    ;;
  --format | --format=*) format=yes ;;
  -o* | --output | --output=* | --rejects | --rejects=* | --stats | --stats=* | --undo | --undo=* | \
    --range | --range=* | --resume | --counters | --counters=*)
    fail 2 "$option: part.sh names the files and the range of a part itself; leave it out"
    ;;
  esac
  set -- "$@" "$option"
done

measure "$in"
version=$("$utf8" --version) || fail 2 "$utf8 does not run; install @utf8/cli, or set UTF8"
mkdir -p "$out/part" "$out/rejects" "$out/stats" || fail 3 "$out: cannot be created"

# Parts with another STEP, other options or of another file must not come together. The first attempt of all writes
# what the job is: a link either gets the name, with all that the file contains, or does not.
own=$(mktemp "$out/.job.utf8-XXXXXXXX") || fail 3 "$out: cannot be written to"
trap 'rm -f "$own"' EXIT
# As the umask allows; mktemp makes it private.
chmod +r "$own"
{
  printf 'version %s\nbytes %s\nmodified %s\nstep %s\n' "$version" "$size" "$modified" "$step"
  [ -z "$strict" ] || echo strict
  [ $# -eq 0 ] || printf 'option %s\n' "$@"
} >"$own"
if [ ! -e "$out/job" ] && ! ln "$own" "$out/job" 2>/dev/null && [ ! -e "$out/job" ]; then
  # Not all file systems have links. This creates the file or does nothing, but others may see a part of it.
  (set -C && cat "$own" >"$out/job") 2>/dev/null || :
fi
cmp -s "$own" "$out/job" || { sleep 1 && cmp -s "$own" "$out/job"; } || {
  diff "$out/job" "$own" >&2 || :
  fail 2 "$out: was begun with other options, another STEP, another utf8 or another $in (< then, > now); name another OUT"
}
rm -f "$own"
trap - EXIT

if [ "$index" -ge "$parts" ]; then
  echo "part.sh: $in has $parts parts, and none is $index: nothing to do" >&2
  exit 0
fi
name=$(printf %09d "$index")
start=$((index * step))
if [ -e "$out/stats/$name" ]; then
  echo "part.sh: part $index is done" >&2
  exit 0
fi

# In the background, since a shell runs traps only between commands, and as the first process of a container it must
# pass signals on.
for signal in HUP:129 INT:130 TERM:143; do
  # shellcheck disable=SC2064 # The signal is this one.
  trap "kill -TERM \"\${!-}\" 2>/dev/null; wait; exit ${signal#*:}" "${signal%:*}"
done
[ -z "$format" ] || [ -n "$strict" ] || set -- "$@" --rejects "$out/rejects/$name"
status=0
counts=$out/stats/.$name.utf8-counts
"$utf8" convert "$@" --range "$start-$((start + step))" --stats "$counts" -o "$out/part/$name" "$in" &
wait "$!" || status=$?
[ "$status" -eq 0 ] || exit "$status"
# Another attempt may have been faster.
mv -f "$counts" "$out/stats/$name" 2>/dev/null || [ -e "$out/stats/$name" ] ||
  fail 3 "$out/stats/$name: cannot be written"
