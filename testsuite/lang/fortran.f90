! SPDX-License-Identifier: GPL-3.0-or-later
! What lib.sh says, in Fortran: the threads are OpenMP's.
module parts
  implicit none
contains
  integer function fourth(n)
    integer, intent(in) :: n
    fourth = n
  end function

  integer function others(n)
    integer, intent(in) :: n
    others = n + 1
  end function

  integer function choose(n)
    integer, intent(in) :: n
    if (mod(n, 4) == 0) then
      choose = fourth(n) + 1
    else
      choose = others(n) - 1
    end if
  end function

  subroutine work(total)
    integer, intent(inout) :: total
    integer :: n, s
    s = 0
    do n = 0, 999
      s = s + choose(n)
    end do
    !$omp atomic
    total = total + s
  end subroutine
end module

program threads
  use parts
  implicit none
  integer :: total
  total = 0
  !$omp parallel num_threads(4)
  call work(total)
  !$omp end parallel
  print *, total
end program
