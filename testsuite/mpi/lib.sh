# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of MPI: programs for each MPI that is installed, and their ranks.
. "${srcdir:-.}/lib.sh"

BBPROF_COMMAND=$bbprof
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Ranks that wait for each other share the processors.
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export BBPROF_COMMAND OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle

mpis=
for mpi in openmpi mpich; do
  if [ -e "$top/runtime/libbbprof-$mpi.so" ] && command -v mpirun.$mpi >/dev/null; then
    mpis="$mpis $mpi"
  fi
done
[ -n "$mpis" ] || skip "needs OpenMPI or MPICH (Debian: libopenmpi-dev openmpi-bin," \
  "libmpich-dev mpich), before configure"

# compile MPI SOURCE PROGRAM [OPTION...]: instrumented.
compile () {
  compile_mpi=$1 compile_source=$2 compile_program=$3
  shift 3
  # shellcheck disable=SC2086 # lists of options
  must mpicc.$compile_mpi -O1 -g $bbprof_flags "$test_folder/$compile_source" "$@" \
    $bbprof_link -o "$compile_program"
}

# ranks MPI N COMMAND...: runs it as N ranks with the shim, for at most two minutes.
ranks () {
  ranks_mpi=$1 ranks_n=$2
  shift 2
  timeout 120 mpirun.$ranks_mpi -n "$ranks_n" \
    env LD_PRELOAD="$top/runtime/libbbprof-$ranks_mpi.so" "$@"
}
