// SPDX-License-Identifier: GPL-3.0-or-later
// Goroutines that compute, pass results on, and allocate; prints a sum.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func compute(n uint64) uint64 {
	sum := n
	for i := uint64(0); i < 20000; i++ {
		sum = sum*31 + (sum >> 7)
	}
	return sum
}

func main() {
	rounds := 200
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	results := make(chan uint64)
	for i := 0; i < rounds; i++ {
		go func(n uint64) {
			text := make([]byte, 1000+n)
			results <- compute(n) + uint64(len(text))
		}(uint64(i))
	}
	sum := uint64(0)
	for i := 0; i < rounds; i++ {
		sum += <-results
	}
	fmt.Printf("%016x\n", sum)
}
