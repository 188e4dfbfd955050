# SPDX-License-Identifier: GPL-3.0-or-later
# Debug information, written by hand, of a unit in LANGUAGE (as --defsym): the function "named"
# begins where no symbol does, so it depends on the language alone by which name it goes.
	.file	1 "language.s"
	.text
begin:
	.globl	_start
_start:
	.loc	1 1
	nop
	nop
function:
	.loc	1 2
	nop
	nop
end:
	.section .debug_info,"",@progbits
	.long	unit_end - unit
unit:	.value	4
	.long	abbreviations
	.byte	8
	.uleb128 1 # DW_TAG_compile_unit
	.value	LANGUAGE
	.quad	begin
	.quad	end - begin
	.long	lines
	.uleb128 2 # DW_TAG_subprogram
	.string	"named"
	.quad	function
	.quad	end - function
	.byte	0
unit_end:
	.section .debug_abbrev,"",@progbits
abbreviations:
	.uleb128 1
	.uleb128 0x11
	.byte	1
	.uleb128 0x13, 5 # language
	.uleb128 0x11, 1 # low_pc
	.uleb128 0x12, 7 # high_pc
	.uleb128 0x10, 0x17 # stmt_list
	.byte	0, 0
	.uleb128 2
	.uleb128 0x2e
	.byte	0
	.uleb128 3, 8 # name
	.uleb128 0x11, 1
	.uleb128 0x12, 7
	.byte	0, 0, 0
	.section .debug_line,"",@progbits
lines:
