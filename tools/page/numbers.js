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
    let value = 0, place = 1, digit;
    do {
      digit = digitOf[text.charCodeAt(i++)];
      value += (digit & 31) * place;
      place *= 32;
    } while (digit >= 32);
    numbers[n] = value;
  }
  return numbers;
}
