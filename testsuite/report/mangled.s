# SPDX-License-Identifier: GPL-3.0-or-later
# Functions with the names of many languages: C++, Rust (both schemes), D, Ada, Java, and what only
# looks like them.
	.macro function name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:	call	mcount
	ret
	.size	\name, . - \name
	.endm

	.text
	function _ZN2ns5Outer5InnerIiE4workEPKcz
	function _ZNSt6vectorIiSaIiEE9push_backEOi
	function _ZZ4mainENKUlvE_clEv
	function _ZN4core3fmt9Formatter3pad17h0123456789abcdefE
	function _ZN3foo3bar17h00000000000000000E
	function _RNvC6_123foo3bar
	function _RNvMs0_NtCs1234_7mycrateINtB3_5StackpE4push
	function _RINvNtC3std3mem8align_ofdE
	function _RNvNtNtCs1234_7mycrate3foo3bar1f
	function _RNCNvC4rust4mains_0
	function _Dmain
	function _D4test3fooFiZi
	function _D3std5stdio__T7writelnTAyaZQoFNfQjZv
	function _D8demangle9testFuncMFNbNiZPFZi
	function ada__text_io__put_line
	function _ada_main
	function package__type__op__2
	function java__oadd__Xn
	function _ZN4java4lang6String6lengthEJiv
	function __ZN2ns3fooEv
	function _Z
	function _R
	function _D
	function _Znot_a_name
	function _ZN3foo3barEv.cold
	function _ZN3foo3barEv.constprop.0
	function _ZN3foo3bazEv.isra.0
	function _GLOBAL__sub_I__ZN2ns3fooEv
	function _GLOBAL__I_a
	function $dollar
	function .leading_dot
	function _ZTv0_n24_N2ns5Outer4workEv
	function ___Z3foov_block_invoke
	function "main"

	.section .note.GNU-stack,"",@progbits
