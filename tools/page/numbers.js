// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of numbers in the data of a page: tools/page/web_numbers.h says how they are written.
"use strict";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitOf = new Uint8Array(128);
for (let i = 0; i < 64; i++)
  digitOf[DIGITS.charCodeAt(i)] = i;

function readNumbers(text) {
  let count = 0;
  for (let i = 0; i < text.length; i++)
    count += digitOf[text.charCodeAt(i)] < 32;
  const numbers = new Float64Array(count);
  for (let i = 0, n = 0; n < count; n++) {
    let digit = digitOf[text.charCodeAt(i++)], value = digit & 31;
    for (let place = 32; digit >= 32; place *= 32) {
      digit = digitOf[text.charCodeAt(i++)];
      value += (digit & 31) * place;
    }
    numbers[n] = value;
  }
  return numbers;
}
