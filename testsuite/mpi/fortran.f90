! SPDX-License-Identifier: GPL-3.0-or-later
! The same by the module mpi: calls, bytes, and MPI_IN_PLACE in Fortran.
program main
  use mpi
  implicit none
  integer :: rank, ranks, error, token, i
  integer :: status(MPI_STATUS_SIZE)
  double precision :: sum(2)
  integer, allocatable :: counts(:), all(:)
  call MPI_Init (error)
  call MPI_Comm_rank (MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size (MPI_COMM_WORLD, ranks, error)
  allocate (counts(ranks), all(ranks))
  do i = 1, 7
    if (rank == 0) then
      call MPI_Send (i, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, error)
    else if (rank == 1) then
      call MPI_Recv (token, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, status, error)
      if (token /= i) stop 3
    end if
    sum = 1
    call MPI_Allreduce (MPI_IN_PLACE, sum, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (nint (sum(1)) /= ranks) stop 4
  end do
  all(rank + 1) = rank
  call MPI_Allgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, &
    error)
  if (all(ranks) /= ranks - 1) stop 5
  call MPI_Bcast (token, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
  call MPI_Finalize (error)
end program
