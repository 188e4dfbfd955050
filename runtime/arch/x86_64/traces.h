/* SPDX-License-Identifier: MIT */
/* For tracepoints.S: the fast paths of trace points, without C, if control flow is traced and
   nothing else is needed: frames (frames.c), bits and tokens (trace.c).  Registers are saved below
   the stack pointer, where handlers do not write, so the return address stays at the stack
   pointer.  Otherwise the code continues behind the macro, where a C function is called, with all
   registers restored. */

#define MODE_TRACE 1
#define MODE_TRACE_ONLY 33 /* with the bit of selection */

/* struct bbp_here, bbp_frames, bbp_stream, bbq_piece; trace.c asserts these offsets */
#define TRACE_HERE_BITS 16
#define TRACE_HERE_MODE 24
#define TRACE_HERE_MARK 40
#define FRAMES_TOP 0
#define FRAMES_BOTTOM 8
#define FRAMES_LIMIT 16
#define FRAMES_FORGOTTEN 32
#define STREAM_PIECE 0
#define STREAM_WORDS 8
#define STREAM_TOKENS 12
#define STREAM_LAST_BITS 32
#define STREAM_LAST_WORDS 40
#define STREAM_LAST_TOKENS 44
#define STREAM_STOPPED 72
#define PIECE_WORDS 112
#define PIECE_TOKENS 116
#define PIECE_BITS 136
#define PIECE_TOKEN 8336

#define CODE_BYTES 0 /* struct bbp_trace_code */
#define CODE_LOW 8
#define POINT_BEGINS 0x253c8064 /* a trace point of an executable: cmpb $0, %fs:... */
#define POINT_ENDS 8            /* its last byte, 0 */

#define CALL 0xe8 /* call rel32 */
#define CALL_BYTES 5
#define CHOICE_DISTANCE -2 /* from the byte of choice to that of the first block from the entry */

#define KNOWN 1024     /* words at bbp_trace_known */
#define KNOWN_POINT 63 /* the bit of a word that is a trace point */
#define NEAR 8192      /* as in trace.c */

/* Save registers; rax becomes the address of the thread's __bb.  To 7: something else is needed. */
	.macro	NEED_TRACE_ONLY
	testb	$~MODE_TRACE_ONLY & 0xff, %fs:TRACE_HERE_MODE(%rax)
	jnz	7f
	testb	$MODE_TRACE, %fs:TRACE_HERE_MODE(%rax)
	jz	7f
	.endm

	.macro	TRACE_SAVE
	movq	%rcx, -16(%rsp)
	movq	%rdx, -24(%rsp)
	movq	%rdi, -32(%rsp)
	movq	%r11, -40(%rsp)
	.endm

	.macro	TRACE_RESTORE
	movq	-8(%rsp), %rax
	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	movq	-32(%rsp), %rdi
	movq	-R11_KEPT(%rsp), %r11
	.endm

	.macro	TRACE_RETURN
	TRACE_RESTORE
	ret
	.endm

/* Continue with the C function. */
	.macro	TRACE_GIVE_UP
	TRACE_RESTORE
	movq	-40(%rsp), %r11
	jmp	10f
	.endm

/* Put the token in rax into the piece, and the bit that announces it, as put_token of trace.c
   does.  To 6 if that must do it.  Changes rcx, rdx, rdi, r11. */
	.macro	PUT_TOKEN
	movq	bbp_stream@gottpoff(%rip), %rcx
	movq	__bb@gottpoff(%rip), %r11
	movq	%fs:STREAM_PIECE(%rcx), %rdx
	movq	%fs:TRACE_HERE_BITS(%r11), %rdi
	testq	%rdx, %rdx
	jz	6f
	cmpq	%fs:STREAM_LAST_BITS(%rcx), %rdi
	jne	3f
	movl	PIECE_WORDS(%rdx), %edi
	cmpl	%fs:STREAM_LAST_WORDS(%rcx), %edi
	je	6f
3:	movl	PIECE_TOKENS(%rdx), %edi
	movl	%edi, %fs:STREAM_LAST_TOKENS(%rcx)
	movl	PIECE_WORDS(%rdx), %edi
	movl	%edi, %fs:STREAM_LAST_WORDS(%rcx)
	movq	%fs:TRACE_HERE_BITS(%r11), %rdi
	movq	%rdi, %fs:STREAM_LAST_BITS(%rcx)
	movl	PIECE_TOKENS(%rdx), %edi
	movq	%rax, PIECE_TOKEN(%rdx,%rdi,8)
	incl	%edi
	movl	%edi, PIECE_TOKENS(%rdx)
	cmpq	$0, %fs:TRACE_HERE_BITS(%r11)
	js	5f
	stc
	rclq	%fs:TRACE_HERE_BITS(%r11)
	cmpl	%fs:STREAM_TOKENS(%rcx), %edi
	jae	4f
	TRACE_RETURN
4:	TRACE_RESTORE		/* a mark is due */
	CALL_POINT bbp_trace_look
5:	TRACE_RESTORE
	movq	__bb@gottpoff(%rip), %rax
	jmp	bbp_last_one
	.endm

/* Push a bit, if control flow is traced; to LAST if it fills the word.  CARRY: stc for a 1.  A
   thread that is found before the label PUSHED has not recorded the bit. */
	.macro	PUSH_BIT instruction, pushed, last, carry
	testb	$MODE_TRACE, %fs:TRACE_HERE_MODE(%rax)
	jz	1f
	cmpq	$0, %fs:TRACE_HERE_BITS(%rax)
	js	\last
	\carry
	\instruction %fs:TRACE_HERE_BITS(%rax)
\pushed:
1:	movq	-8(%rsp), %rax
	ret
	.endm

/* Put the full word in rcx, whose old value is saved, into the piece.  There is always room for
   one.  Its last bit is recorded as soon as the piece counts the word.  A handler that comes just
   then, at COUNTED, has the thread continue at DONE (bbp_arch_roll_forward).  If the thread records
   nothing now, the code continues behind the macro, with rcx and rdx restored. */
	.macro	PUT_WORD counted, done
	movq	%rdx, -24(%rsp)
	movq	%r11, -R11_KEPT(%rsp)
	movq	bbp_stream@gottpoff(%rip), %r11
	movq	%fs:STREAM_PIECE(%r11), %rdx
	testq	%rdx, %rdx
	jz	5f
	cmpq	$0, %fs:STREAM_STOPPED(%r11)
	jne	5f
	movl	PIECE_WORDS(%rdx), %eax
	incl	%eax
	movq	%rcx, PIECE_BITS-8(%rdx,%rax,8)
	movq	__bb@gottpoff(%rip), %rcx
	movl	%eax, PIECE_WORDS(%rdx)
\counted:
	movq	$1, %fs:TRACE_HERE_BITS(%rcx)
\done:
	cmpl	%fs:STREAM_WORDS(%r11), %eax
	jae	4f
	movl	PIECE_TOKENS(%rdx), %eax
	cmpl	%fs:STREAM_TOKENS(%r11), %eax
	jae	4f
	movq	-8(%rsp), %rax
	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	movq	-R11_KEPT(%rsp), %r11
	ret
4:	movq	-8(%rsp), %rax		/* a mark is due */
	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	CALL_POINT bbp_trace_look
5:	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	.endm

/* To ELSE unless the address in rdi is a trace point of the executable.  Changes REGISTER. */
	.macro	NEED_POINT register, else
	movq	bbp_trace_code+CODE_BYTES(%rip), \register
	addq	bbp_trace_code+CODE_LOW(%rip), \register
	cmpq	\register, %rdi
	jae	\else
	cmpq	bbp_trace_code+CODE_LOW(%rip), %rdi
	jb	\else
	cmpl	$POINT_BEGINS, (%rdi)
	jne	\else
	cmpb	$0, POINT_ENDS(%rdi)
	jne	\else
	.endm

/* To 8 unless a call in code with trace points enters the function, which it names, and the trace
   knows the frame of the caller, in which nothing else has been entered since: no frame has ended,
   as that of a function that jumps to this one has.  Then push a frame, and put a bit 0.  Stack
   pointer at the entry: rdx; its block: r11. */
	.macro	ENTER_EXPECTED
	cmpq	%rdx, %fs:TRACE_HERE_MARK(%rax)
	jbe	8f
	movq	(%rdx), %rdi
	movq	%fs:HERE_BLOCKNO(%rax), %rax
	NEED_POINT %rcx, 8f
	cmpb	$CALL, -CALL_BYTES(%rdi)
	jne	8f
	movslq	-4(%rdi), %rcx
	movzwl	CHOICE_DISTANCE(%rax), %eax
	addq	%rdi, %rcx
	addq	%rax, %rcx
	cmpq	%rcx, %r11
	jne	8f
	movq	bbp_frames@gottpoff(%rip), %rcx
	movq	%fs:FRAMES_TOP(%rcx), %rax
	cmpq	%fs:FRAMES_BOTTOM(%rcx), %rax
	je	8f
	movq	-8(%rax), %rdi
	subq	%rdx, %rdi
	decq	%rdi
	cmpq	$NEAR, %rdi
	jae	8f
	cmpq	%fs:FRAMES_LIMIT(%rcx), %rax
	je	8f
	movq	%rdx, (%rax)
	addq	$8, %rax
	movq	%rax, %fs:FRAMES_TOP(%rcx)
	movq	__bb@gottpoff(%rip), %rax
	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	movq	-32(%rsp), %rdi
	movq	-R11_KEPT(%rsp), %r11
	cmpq	$0, %fs:TRACE_HERE_BITS(%rax)
	js	bbp_last_zero
	shlq	%fs:TRACE_HERE_BITS(%rax)
	movq	-8(%rsp), %rax
	ret
	.endm

/* Push a frame and put a token, as in trace.c.  Its is_called_from_point says whether the returns
   to the frames above must be recorded. */
	.macro	ENTER_TRACED
	NEED_TRACE_ONLY
	TRACE_SAVE
	testb	$MODE_CHOICES, %fs:TRACE_HERE_MODE(%rax)
	jz	1f
	movq	%fs:HERE_BLOCKNO(%rax), %rdx
	cmpb	$0, (%rdx)
	jne	6f
1:	movq	bbp_frames@gottpoff(%rip), %rcx
	leaq	8(%rsp), %rdx
	cmpq	$0, %fs:FRAMES_FORGOTTEN(%rcx)
	jne	6f
	ENTER_EXPECTED
8:	movq	bbp_frames@gottpoff(%rip), %rcx
	movq	%fs:FRAMES_TOP(%rcx), %rax
1:	cmpq	%fs:FRAMES_BOTTOM(%rcx), %rax
	je	2f
	cmpq	%rdx, -8(%rax)
	ja	2f
	subq	$8, %rax
	jmp	1b
2:	cmpq	%fs:FRAMES_LIMIT(%rcx), %rax
	je	6f
	movq	%rdx, (%rax)
	addq	$8, %rax
	movq	%rax, %fs:FRAMES_TOP(%rcx)
	subq	%fs:FRAMES_BOTTOM(%rcx), %rax
	shlq	$48-3, %rax
	orq	%r11, %rax
	movq	(%rdx), %rdi		/* is_called_from_point */
	NEED_POINT %rcx, 3f
	jmp	4f
3:	movl	%edi, %ecx
	shrl	%ecx
	andl	$KNOWN-1, %ecx
	leaq	bbp_trace_known(%rip), %rdx
	movq	(%rdx,%rcx,8), %rcx
	cmpq	%rdi, %rcx
	je	5f
	btsq	$KNOWN_POINT, %rdi
	cmpq	%rdi, %rcx
	je	4f
	jmp	6f
5:	leaq	8(%rsp), %rdx
	movq	__bb@gottpoff(%rip), %rcx
	movq	%rdx, %fs:TRACE_HERE_MARK(%rcx)
4:	PUT_TOKEN
6:	TRACE_GIVE_UP
7:
	.endm

/* Drop frames that have ended, and put a token. */
	.macro	LAND_TRACED
	NEED_TRACE_ONLY
	TRACE_SAVE
	movq	bbp_frames@gottpoff(%rip), %rcx
	leaq	8(%rsp), %rdx
	cmpq	$0, %fs:FRAMES_FORGOTTEN(%rcx)
	jne	6f
	movq	%fs:FRAMES_TOP(%rcx), %rax
1:	cmpq	%fs:FRAMES_BOTTOM(%rcx), %rax
	je	2f
	cmpq	%rdx, -8(%rax)
	jae	2f
	subq	$8, %rax
	jmp	1b
2:	movq	%rax, %fs:FRAMES_TOP(%rcx)
	subq	%fs:FRAMES_BOTTOM(%rcx), %rax
	shlq	$48-3, %rax
	orq	%r11, %rax
	movq	__bb@gottpoff(%rip), %rcx
	cmpq	%fs:TRACE_HERE_MARK(%rcx), %rdx
	jbe	3f
	movq	%rdx, %fs:TRACE_HERE_MARK(%rcx)
3:	PUT_TOKEN
6:	TRACE_GIVE_UP
7:
	.endm

/* Drop frames that have ended; if the trace knows the frame that continues, put a bit 0. */
	.macro	RETURN_TRACED
	NEED_TRACE_ONLY
	movq	%rcx, -16(%rsp)
	movq	%rdx, -24(%rsp)
	movq	bbp_frames@gottpoff(%rip), %rcx
	leaq	8(%rsp), %rdx
	cmpq	%rdx, %fs:TRACE_HERE_MARK(%rax)
	jb	6f
	movq	%fs:FRAMES_TOP(%rcx), %rax
1:	cmpq	%fs:FRAMES_BOTTOM(%rcx), %rax
	je	6f
	cmpq	%rdx, -8(%rax)
	jae	2f
	subq	$8, %rax
	jmp	1b
2:	movq	%rax, %fs:FRAMES_TOP(%rcx)
	movq	-8(%rax), %rax
	subq	%rdx, %rax
	cmpq	$NEAR, %rax
	jae	6f
	movq	__bb@gottpoff(%rip), %rax
	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	movq	-R11_KEPT(%rsp), %r11
	cmpq	$0, %fs:TRACE_HERE_BITS(%rax)
	js	bbp_last_zero
	shlq	%fs:TRACE_HERE_BITS(%rax)
	movq	-8(%rsp), %rax
	ret
6:	movq	-8(%rsp), %rax
	movq	-16(%rsp), %rcx
	movq	-24(%rsp), %rdx
	jmp	10f
7:
	.endm

	.macro	TOKEN_TRACED
	testb	$MODE_TRACE, %fs:TRACE_HERE_MODE(%rax)
	jnz	1f
	movq	-8(%rsp), %rax
	movq	-R11_KEPT(%rsp), %r11
	ret
1:	TRACE_SAVE
	movq	%r11, %rax
	PUT_TOKEN
6:	TRACE_GIVE_UP
	.endm

	.macro	NOT_TRACED
	.endm
