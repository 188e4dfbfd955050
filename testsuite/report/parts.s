# SPDX-License-Identifier: GPL-3.0-or-later
# Names of static functions that gprof takes or leaves, labels that are no functions, several names
# for one place.
        .text
        .macro  function name
        .type   "\name", @function
"\name":
        .skip   32, 0x90
        .endm
        .macro  pair name, n
        function "\name"
        .globl  between_\n
        function between_\n
        .endm

        .globl  main
        .type   main, @function
main:   xor     %eax, %eax
        ret
        .balign 32
        pair    part, 1
        pair    part.1, 2
        pair    part.1.2, 3
        pair    part.constprop.0, 4
        pair    part.constprop.12.3, 5
        pair    part.clone.3, 6
        pair    part.clone.3.clone.4, 7
        pair    part.constprop, 8
        pair    part.clone., 9
        pair    part.part.0, 10
        pair    part.isra.0, 11
        pair    part.cold, 12
        pair    part., 13
        pair    part..1, 14
        pair    part.1., 15
        pair    part.1x, 16
        pair    part.x1, 17
        pair    .part, 18
        pair    part.lto_priv.0, 19
        pair    __gnu_compiled_c, 20
        pair    __gnu_compile, 21
        pair    part$1, 22
        pair    good.1, 23
        pair    plain, 24
        pair    good.constprop.3, 25
        pair    plain2, 26
label:  .skip   16, 0x90
        .globl  global_label
global_label:
        .skip   16, 0x90
        .globl  _three, three, __three
        .type   __three, @function
        .type   _three, @function
        .type   three, @function
__three:
_three:
three:
static_three:
        .skip   16, 0x90
        .weak   weak_one
        .type   weak_one, @function
weak_one:
_weak_one_too:
        .skip   16, 0x90
        .section .text.elsewhere, "ax", @progbits
        function elsewhere
        .section .odd, "ax", @progbits
        function in_odd_section
        .section .note.GNU-stack, "", @progbits
