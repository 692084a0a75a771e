#!/bin/sh
# Start a Slurm cluster of one node on this machine, to try job arrays. It needs these Debian packages:
#
#   apt-get install munge slurmctld slurmd slurm-client
#   scripts/slurm/local_slurm.sh start /tmp/slurm      (as root; it writes only to this folder)
#   SLURM_CONF=/tmp/slurm/slurm.conf sbatch results/NAME/array.sh
#   scripts/slurm/local_slurm.sh stop /tmp/slurm
#
# Do not use it as an example for a real cluster: it has no accounting and no control groups, and runs as root.
set -eu

action=${1:?start or stop} folder=${2:?a folder}
conf=$folder/slurm.conf socket=$folder/munge/socket

start() {
    mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
    chmod 755 "$folder" "$folder/munge"
    [ -f "$folder/munge/key" ] || head -c 1024 /dev/urandom > "$folder/munge/key"
    chmod 400 "$folder/munge/key"
    host=$(hostname -s) memory=$(awk '/MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)
    cat > "$conf" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    munged --force --key-file="$folder/munge/key" --socket="$socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
    slurmctld -f "$conf"
    slurmd -f "$conf"
    export SLURM_CONF="$conf"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sinfo -h -o %T | grep -q idle && break
        sleep 1
    done
    sinfo
}

stop() {
    for pid in "$folder/slurmd.pid" "$folder/slurmctld.pid" "$folder/munge/pid"; do
        if [ -f "$pid" ]; then kill "$(cat "$pid")" || true; fi
    done
}

case $action in
    start) start ;;
    stop) stop ;;
    *) echo "found $action, expected start or stop" >&2; exit 2 ;;
esac
