! SPDX-License-Identifier: GPL-3.0-or-later
! Module procedures, a nested one, a recursive one.
module sums
contains
  recursive function factorial (n) result (f)
    integer, intent (in) :: n
    real (8) :: f
    f = 1
    if (n > 1) f = n * factorial (n - 1)
  end function
  subroutine fill (x)
    real (8), intent (out) :: x(:)
    integer :: i
    do i = 1, size (x)
      x(i) = scaled (i)
    end do
  contains
    real (8) function scaled (k)
      integer, intent (in) :: k
      scaled = k * 0.5d0 + factorial (mod (k, 7))
    end function
  end subroutine
end module

program main
  use sums
  real (8) :: x(1000)
  integer :: i
  do i = 1, 50
    call fill (x)
  end do
  if (sum (x) < 0) print *, x
end program
