#!/bin/sh
#SBATCH --job-name=bench-cnf
#SBATCH --array=1-@COUNT@
#SBATCH --cpus-per-task=@JOBS@
#SBATCH --mem=@MEMORY@
#SBATCH --signal=B:USR1@@SECONDS@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=@FOLDER@/shares/%a/log

# Make the runs of a share: as a task of a Slurm job array, or with its number as the argument, on any machine.
# Slurm sends SIGUSR1 before the time limit. Then bench-cnf finishes its current runs, and the task is queued again for its other
# runs. It is not queued again if it has made no run: then its time limit is too short. `scancel` sends SIGTERM.

share=${SLURM_ARRAY_TASK_ID:-$1}
results=@FOLDER@/shares/$share/runs.jsonl
size() { if [ -f "$results" ]; then wc -c < "$results"; else echo 0; fi; }

before=$(size) late=
trap 'kill -TERM "$bench"' TERM
trap 'late=yes; kill -TERM "$bench"' USR1
@BENCH@ run @SUITE@ -o @FOLDER@ --share "$share" --jobs @JOBS@ &
bench=$!
while  # a signal ends `wait` early
    wait "$bench"
    code=$?
    kill -0 "$bench" 2> /dev/null
do :; done
if [ "$SLURM_JOB_ID" ] && [ "$late" ] && [ "$code" -eq 130 ] && [ "$(size)" -gt "$before" ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
