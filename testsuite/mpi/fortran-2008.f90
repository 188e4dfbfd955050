! SPDX-License-Identifier: GPL-3.0-or-later
! The same as fortran.f90 by the module mpi_f08: typed handles, and errors that are not asked for.
program main
  use mpi_f08
  implicit none
  integer :: rank, ranks, error, token, i
  type(MPI_Status) :: status
  type(MPI_Comm) :: half
  double precision :: sum(2)
  integer, allocatable :: all(:)
  call MPI_Init ()
  call MPI_Comm_rank (MPI_COMM_WORLD, rank)
  call MPI_Comm_size (MPI_COMM_WORLD, ranks)
  allocate (all(ranks))
  call MPI_Comm_split (MPI_COMM_WORLD, mod (rank, 2), rank, half)
  do i = 1, 7
    if (rank == 0) then
      call MPI_Send (i, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)
    else if (rank == 1) then
      call MPI_Recv (token, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, status)
      if (token /= i .or. status%MPI_SOURCE /= 0) stop 3
    end if
    sum = 1
    call MPI_Allreduce (MPI_IN_PLACE, sum, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (error /= MPI_SUCCESS .or. nint (sum(1)) /= ranks) stop 4
  end do
  all(rank + 1) = rank
  call MPI_Allgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (all(ranks) /= ranks - 1) stop 5
  call MPI_Bcast (token, 1, MPI_INTEGER, 2, MPI_COMM_WORLD)
  call MPI_Barrier (half)
  call MPI_Comm_free (half)
  call MPI_Finalize ()
end program
