/* SPDX-License-Identifier: MIT */
/* The functions of MPI that have wrappers.  For mpi_calls.c, which defines what a row becomes:

     EACH (Name, name in Fortran, number of arguments, their kinds, bytes, communicator)

   Kinds: b memory that is read, w memory that is written, i number, d distance, t type, o
   operation, c communicator, n new one, u group, g window, v list of numbers, r requests, s
   statuses, p result.  Bytes are what the calling rank sends or contributes, so that no byte counts
   twice; the arguments are a1, a2 ...  In place of what it sends, a rank may have named what it
   receives, so bytes are taken from what both say where that is possible.  Communicator: whose
   ranks the call brings together, or NONE. */

/* clang-format off */
EACH (Send, send, 6, (b, i, t, i, i, c), SENT (a2, a3, a4), NONE)
EACH (Bsend, bsend, 6, (b, i, t, i, i, c), SENT (a2, a3, a4), NONE)
EACH (Ssend, ssend, 6, (b, i, t, i, i, c), SENT (a2, a3, a4), NONE)
EACH (Rsend, rsend, 6, (b, i, t, i, i, c), SENT (a2, a3, a4), NONE)
EACH (Recv, recv, 7, (w, i, t, i, i, c, s), 0, NONE)
EACH (Isend, isend, 7, (b, i, t, i, i, c, r), SENT (a2, a3, a4), NONE)
EACH (Ibsend, ibsend, 7, (b, i, t, i, i, c, r), SENT (a2, a3, a4), NONE)
EACH (Issend, issend, 7, (b, i, t, i, i, c, r), SENT (a2, a3, a4), NONE)
EACH (Irsend, irsend, 7, (b, i, t, i, i, c, r), SENT (a2, a3, a4), NONE)
EACH (Irecv, irecv, 7, (w, i, t, i, i, c, r), 0, NONE)
EACH (Sendrecv, sendrecv, 12, (b, i, t, i, i, w, i, t, i, i, c, s), SENT (a2, a3, a4), NONE)
EACH (Sendrecv_replace, sendrecv_replace, 9, (w, i, t, i, i, i, i, c, s), SENT (a2, a3, a4),
      NONE)
EACH (Probe, probe, 4, (i, i, c, s), 0, NONE)
EACH (Iprobe, iprobe, 5, (i, i, c, p, s), 0, NONE)
EACH (Wait, wait, 2, (r, s), 0, NONE)
EACH (Waitall, waitall, 3, (i, r, s), 0, NONE)
EACH (Waitany, waitany, 4, (i, r, p, s), 0, NONE)
EACH (Waitsome, waitsome, 5, (i, r, p, p, s), 0, NONE)
EACH (Test, test, 3, (r, p, s), 0, NONE)
EACH (Testall, testall, 4, (i, r, p, s), 0, NONE)
EACH (Testany, testany, 5, (i, r, p, p, s), 0, NONE)
EACH (Testsome, testsome, 5, (i, r, p, p, s), 0, NONE)
EACH (Start, start, 1, (r), 0, NONE)
EACH (Startall, startall, 2, (i, r), 0, NONE)
EACH (Barrier, barrier, 1, (c), 0, a1)
EACH (Bcast, bcast, 5, (w, i, t, i, c), timed_rank (a5) == a4 ? timed_bytes (a2, a3) : 0, a5)
EACH (Gather, gather, 8, (b, i, t, w, i, t, i, c),
      timed_rank (a8) == a7 ? timed_bytes (a5, a6) : timed_bytes (a2, a3), a8)
EACH (Gatherv, gatherv, 9, (b, i, t, w, v, v, t, i, c),
      timed_rank (a9) == a8 ? timed_bytes (a5[a8], a7) : timed_bytes (a2, a3), a9)
EACH (Scatter, scatter, 8, (b, i, t, w, i, t, i, c),
      timed_rank (a8) == a7 ? timed_size (a8) * timed_bytes (a2, a3) : 0, a8)
EACH (Scatterv, scatterv, 9, (b, v, v, t, w, i, t, i, c),
      timed_rank (a9) == a8 ? timed_bytes (timed_sum (a2, a9), a4) : 0, a9)
EACH (Allgather, allgather, 7, (b, i, t, w, i, t, c), timed_bytes (a5, a6), a7)
EACH (Allgatherv, allgatherv, 8, (b, i, t, w, v, v, t, c), timed_bytes (a5[timed_rank (a8)], a7),
      a8)
EACH (Alltoall, alltoall, 7, (b, i, t, w, i, t, c), timed_size (a7) * timed_bytes (a5, a6), a7)
EACH (Alltoallv, alltoallv, 9, (b, v, v, t, w, v, v, t, c),
      timed_in_place (a1) ? timed_bytes (timed_sum (a6, a9), a8)
                          : timed_bytes (timed_sum (a2, a9), a4), a9)
EACH (Reduce, reduce, 7, (b, w, i, t, o, i, c), timed_bytes (a3, a4), a7)
EACH (Allreduce, allreduce, 6, (b, w, i, t, o, c), timed_bytes (a3, a4), a6)
EACH (Reduce_scatter, reduce_scatter, 6, (b, w, v, t, o, c), timed_bytes (timed_sum (a3, a6), a4),
      a6)
EACH (Reduce_scatter_block, reduce_scatter_block, 6, (b, w, i, t, o, c),
      timed_size (a6) * timed_bytes (a3, a4), a6)
EACH (Scan, scan, 6, (b, w, i, t, o, c), timed_bytes (a3, a4), a6)
EACH (Exscan, exscan, 6, (b, w, i, t, o, c), timed_bytes (a3, a4), a6)
EACH (Ibarrier, ibarrier, 2, (c, r), 0, NONE)
EACH (Ibcast, ibcast, 6, (w, i, t, i, c, r), timed_rank (a5) == a4 ? timed_bytes (a2, a3) : 0, NONE)
EACH (Iallreduce, iallreduce, 7, (b, w, i, t, o, c, r), timed_bytes (a3, a4), NONE)
EACH (Ireduce, ireduce, 8, (b, w, i, t, o, i, c, r), timed_bytes (a3, a4), NONE)
EACH (Iallgather, iallgather, 8, (b, i, t, w, i, t, c, r), timed_bytes (a5, a6), NONE)
EACH (Ialltoall, ialltoall, 8, (b, i, t, w, i, t, c, r), timed_size (a7) * timed_bytes (a5, a6),
      NONE)
EACH (Comm_dup, comm_dup, 2, (c, n), 0, a1)
EACH (Comm_split, comm_split, 4, (c, i, i, n), 0, a1)
EACH (Comm_create, comm_create, 3, (c, u, n), 0, a1)
EACH (Win_fence, win_fence, 2, (i, g), 0, NONE)
EACH (Put, put, 8, (b, i, t, i, d, i, t, g), SENT (a2, a3, a4), NONE)
EACH (Get, get, 8, (w, i, t, i, d, i, t, g), 0, NONE)
EACH (Accumulate, accumulate, 9, (b, i, t, i, d, i, t, o, g), SENT (a2, a3, a4), NONE)
EACH (Win_lock, win_lock, 4, (i, i, i, g), 0, NONE)
EACH (Win_unlock, win_unlock, 2, (i, g), 0, NONE)
EACH (Win_flush, win_flush, 2, (i, g), 0, NONE)
/* clang-format on */
