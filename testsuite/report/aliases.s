# SPDX-License-Identifier: GPL-3.0-or-later
# Two symbols at one address, of all kinds of types and sizes, in code that debug information gives
# lines but no functions: which of them names an address?
	.text
	.globl	_start
_start:	nop

	.macro	pair name, size_1, size_2, type_1, type_2
	.type	\name\()_1,@\type_1
	.type	\name\()_2,@\type_2
\name\()_1:
\name\()_2:
	.rept	4
	nop
	.endr
	.size	\name\()_1,\size_1
	.size	\name\()_2,\size_2
	.endm

	pair	aa, 1, 2, notype, notype
	pair	ab, 2, 1, notype, notype
	pair	ac, 2, 2, notype, notype
	pair	ad, 1, 2, function, function
	pair	ae, 2, 1, function, function
	pair	af, 2, 2, function, function
	pair	ag, 3, 2, function, notype
	pair	ah, 2, 3, function, notype
	pair	ai, 2, 3, notype, function
	pair	aj, 3, 2, notype, function
	pair	ak, 1, 4, notype, function
	pair	al, 4, 1, notype, function
	pair	am, 4, 1, notype, notype
	pair	an, 1, 4, notype, notype
	pair	ao, 0, 2, notype, notype
	pair	ap, 2, 0, notype, notype
	pair	aq, 0, 2, function, notype
	pair	ar, 2, 0, notype, function
	pair	as, 0, 0, function, notype
	pair	at, 0, 0, notype, function
	pair	au, 0, 2, function, function
	pair	av, 2, 0, function, function
	pair	aw, 0, 1, function, function
	pair	ax, 1, 0, function, function
	pair	ay, 0, 1, function, notype
	pair	az, 1, 0, notype, function
	pair	ba, 1, 0, function, notype
	pair	bb, 0, 1, notype, function
	pair	bc, 1, 0, notype, notype
	pair	bd, 0, 1, notype, notype
