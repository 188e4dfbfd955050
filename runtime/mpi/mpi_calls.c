/* SPDX-License-Identifier: MIT */
/* The wrappers of MPI's functions, for C and for Fortran (mpif.h, and the modules mpi and mpi_f08).
   Each calls the function itself by its second name, PMPI_..., and notes the time.  A wrapper of
   Fortran's calls Fortran's function, whose library is not loaded in a program in C: so that is
   weak.  The entries of the module mpi_f08 have names of their own, and the error may be missing;
   MPICH's get descriptors of buffers.
   Context: the program's threads. */
#include <stddef.h>

#include "runtime/mpi/timed.h"

#define NONE MPI_COMM_NULL
#define SENT(count, type, to) ((to) == MPI_PROC_NULL ? 0 : timed_bytes (count, type))

static inline bool
timed_in_place (const void *buffer)
{
  return buffer == MPI_IN_PLACE;
}

/* The address of the variable that is MPI_IN_PLACE in Fortran. */
#ifdef OPEN_MPI
extern int mpi_fortran_in_place_ __attribute__ ((weak));
#define FORTRAN_IN_PLACE ((const void *) &mpi_fortran_in_place_)
#else
extern void *MPIR_F_MPI_IN_PLACE __attribute__ ((weak));
#define FORTRAN_IN_PLACE (&MPIR_F_MPI_IN_PLACE ? MPIR_F_MPI_IN_PLACE : NULL)
#endif

static inline const void *
from_fortran (const void *buffer)
{
  return buffer && buffer == FORTRAN_IN_PLACE ? MPI_IN_PLACE : buffer;
}

#ifndef OPEN_MPI
extern int MPIR_F08_MPI_IN_PLACE __attribute__ ((weak));

/* A descriptor of Fortran 2018 begins with the buffer's address. */
static inline const void *
from_descriptor (const void *descriptor)
{
  const void *buffer = *(const void *const *) descriptor;
  return buffer && buffer == &MPIR_F08_MPI_IN_PLACE ? MPI_IN_PLACE : buffer;
}
#endif

/* An argument A of each kind: its declaration in C and in Fortran; from the latter the value in C,
   as far as bytes and communicator depend on it. */
#define C_b(a) const void *a
#define C_w(a) void *a
#define C_i(a) int a
#define C_d(a) MPI_Aint a
#define C_t(a) MPI_Datatype a
#define C_o(a) MPI_Op a
#define C_c(a) MPI_Comm a
#define C_n(a) MPI_Comm *a
#define C_u(a) MPI_Group a
#define C_g(a) MPI_Win a
#define C_v(a) const int a[]
#define C_r(a) MPI_Request a[]
#define C_s(a) MPI_Status a[]
#define C_p(a) int a[]

#define FORTRAN_b(a) const void *a
#define FORTRAN_w(a) void *a
#define FORTRAN_i(a) MPI_Fint *a
#define FORTRAN_d(a) MPI_Aint *a
#define FORTRAN_t(a) MPI_Fint *a
#define FORTRAN_o(a) MPI_Fint *a
#define FORTRAN_c(a) MPI_Fint *a
#define FORTRAN_n(a) MPI_Fint *a
#define FORTRAN_u(a) MPI_Fint *a
#define FORTRAN_g(a) MPI_Fint *a
#define FORTRAN_v(a) MPI_Fint *a
#define FORTRAN_r(a) MPI_Fint *a
#define FORTRAN_s(a) MPI_Fint *a
#define FORTRAN_p(a) MPI_Fint *a

#define VALUE_b(a) from_fortran (a)
#define VALUE_w(a) a
#define VALUE_i(a) *a
#define VALUE_d(a) *a
#define VALUE_t(a) PMPI_Type_f2c (*a)
#define VALUE_o(a) MPI_OP_NULL
#define VALUE_c(a) PMPI_Comm_f2c (*a)
#define VALUE_n(a) NULL
#define VALUE_u(a) MPI_GROUP_NULL
#define VALUE_g(a) MPI_WIN_NULL
#define VALUE_v(a) a
#define VALUE_r(a) NULL
#define VALUE_s(a) NULL
#define VALUE_p(a) NULL

#define DESCRIBED_b(a) from_descriptor (a)
#define DESCRIBED_w VALUE_w
#define DESCRIBED_i VALUE_i
#define DESCRIBED_d VALUE_d
#define DESCRIBED_t VALUE_t
#define DESCRIBED_o VALUE_o
#define DESCRIBED_c VALUE_c
#define DESCRIBED_n VALUE_n
#define DESCRIBED_u VALUE_u
#define DESCRIBED_g VALUE_g
#define DESCRIBED_v VALUE_v
#define DESCRIBED_r VALUE_r
#define DESCRIBED_s VALUE_s
#define DESCRIBED_p VALUE_p

#define IN_C(kind, a) C_##kind (a)
#define IN_FORTRAN(kind, a) FORTRAN_##kind (a)
#define VALUE(kind, a) VALUE_##kind (a)
#define DESCRIBED(kind, a) DESCRIBED_##kind (a)
#define NAME(kind, a) a

/* F (kind, name) for each of N kinds. */
#define LIST_1(f, k) f (k, a1)
#define LIST_2(f, k1, k) LIST_1 (f, k1), f (k, a2)
#define LIST_3(f, k1, k2, k) LIST_2 (f, k1, k2), f (k, a3)
#define LIST_4(f, k1, k2, k3, k) LIST_3 (f, k1, k2, k3), f (k, a4)
#define LIST_5(f, k1, k2, k3, k4, k) LIST_4 (f, k1, k2, k3, k4), f (k, a5)
#define LIST_6(f, k1, k2, k3, k4, k5, k) LIST_5 (f, k1, k2, k3, k4, k5), f (k, a6)
#define LIST_7(f, k1, k2, k3, k4, k5, k6, k) LIST_6 (f, k1, k2, k3, k4, k5, k6), f (k, a7)
#define LIST_8(f, k1, k2, k3, k4, k5, k6, k7, k) LIST_7 (f, k1, k2, k3, k4, k5, k6, k7), f (k, a8)
#define LIST_9(f, k1, k2, k3, k4, k5, k6, k7, k8, k) \
  LIST_8 (f, k1, k2, k3, k4, k5, k6, k7, k8), f (k, a9)
#define LIST_12(f, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12) \
  LIST_9 (f, k1, k2, k3, k4, k5, k6, k7, k8, k9), f (k10, a10), f (k11, a11), f (k12, a12)
#define UNPACK(...) __VA_ARGS__
#define LIST(n, f, kinds) LIST_OF (n, f, UNPACK kinds)
#define LIST_OF(n, f, ...) LIST_##n (f, __VA_ARGS__)

/* Not all arguments are needed for the bytes, or for the communicator. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define EACH(Name, name, n, kinds, bytes, comm)                                      \
  static inline uint64_t bytes_of_##name (LIST (n, IN_C, kinds))                     \
  {                                                                                  \
    return bytes;                                                                    \
  }                                                                                  \
  static inline MPI_Comm comm_of_##name (LIST (n, IN_C, kinds))                      \
  {                                                                                  \
    return comm;                                                                     \
  }                                                                                  \
                                                                                     \
  int MPI_##Name (LIST (n, IN_C, kinds))                                             \
  {                                                                                  \
    struct timed t;                                                                  \
    timed_begin (&t, comm_of_##name (LIST (n, NAME, kinds)));                        \
    int error = PMPI_##Name (LIST (n, NAME, kinds));                                 \
    timed_end (&t, BBM_##Name, __builtin_return_address (0),                         \
               error || !t.outermost ? 0 : bytes_of_##name (LIST (n, NAME, kinds))); \
    return error;                                                                    \
  }                                                                                  \
  EACH_FORTRAN (Name, name, n, kinds, VALUE, mpi_##name##_, pmpi_##name##_)          \
  EACH_FORTRAN_2008 (Name, name, n, kinds)

#define EACH_FORTRAN(Name, name, n, kinds, value, wrapper, function)                   \
  void function (LIST (n, IN_FORTRAN, kinds), MPI_Fint *error) __attribute__ ((weak)); \
  void wrapper (LIST (n, IN_FORTRAN, kinds), MPI_Fint *error);                         \
  void wrapper (LIST (n, IN_FORTRAN, kinds), MPI_Fint *error)                          \
  {                                                                                    \
    struct timed t;                                                                    \
    MPI_Fint own = 0;                                                                  \
    error = error ? error : &own;                                                      \
    timed_begin (&t, comm_of_##name (LIST (n, value, kinds)));                         \
    function (LIST (n, NAME, kinds), error);                                           \
    timed_end (&t, BBM_##Name, __builtin_return_address (0),                           \
               *error || !t.outermost ? 0 : bytes_of_##name (LIST (n, value, kinds))); \
  }
/* In MPICH those with buffers have other names, and a function has either the one or the other. */
#ifdef OPEN_MPI
#define EACH_FORTRAN_2008(Name, name, n, kinds) \
  EACH_FORTRAN (Name, name, n, kinds, VALUE, mpi_##name##_f08_, pmpi_##name##_f08_)
#else
#define EACH_FORTRAN_2008(Name, name, n, kinds)                                      \
  EACH_FORTRAN (Name, name, n, kinds, VALUE, mpi_##name##_f08_, pmpir_##name##_f08_) \
  EACH_FORTRAN (Name, name, n, kinds, DESCRIBED, mpi_##name##_f08ts_, pmpir_##name##_f08ts_)
#endif

#include "runtime/mpi/mpi_calls.h"
