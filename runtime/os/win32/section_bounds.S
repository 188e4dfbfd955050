/* SPDX-License-Identifier: MIT */
/* The begin and the end of a module's counters and map: the linker sorts their parts by what is
   behind the dollar (gcc-plugin/macros/pe_sections.c).  Each executable and DLL has its own. */

	.section bbcounts$a, "bw"
	.balign	8
	.globl	__start_bbprof_counts
__start_bbprof_counts:
	.section bbcounts$z, "bw"
	.balign	8
	.globl	__stop_bbprof_counts
__stop_bbprof_counts:

	.section bbmap$a, "dr"
	.balign	4
	.globl	__start_bbprof_map
__start_bbprof_map:
	.section bbmap$z, "dr"
	.balign	4
	.globl	__stop_bbprof_map
__stop_bbprof_map:
