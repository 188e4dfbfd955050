// SPDX-License-Identifier: GPL-3.0-or-later
// The program of lib.sh in Go: goroutines, which migrate between threads and have stacks of their
// own; instead of an exception a null pointer, for which the kernel sends a signal.
package main

import "fmt"

type number struct{ n int }

var sum int

func caught() { sum = 1 }
func others(n int) int { return n + 1 }

func fourth(n int) int {
	if n%20 == 0 {
		var nothing *number
		return value(nothing)
	}
	return n
}

func value(p *number) int { return p.n }

func choose(n int) int {
	if n%4 == 0 {
		return fourth(n) + 1
	}
	return others(n) - 1
}

func try(n int, done *bool) int {
	defer func() {
		if !*done {
			recover()
			caught()
		}
	}()
	s := choose(n)
	*done = true
	return s
}

func work(c chan int) {
	s := 0
	for n := 0; n < 1000; n++ {
		done := false
		s += try(n, &done)
	}
	c <- s
}

func main() {
	c := make(chan int)
	for i := 0; i < 16; i++ {
		go work(c)
	}
	s := 0
	for i := 0; i < 16; i++ {
		s += <-c
	}
	fmt.Println(s)
}
