(* SPDX-License-Identifier: GPL-3.0-or-later *)
(* What lib.sh says, in Modula-2: no threads. *)
MODULE modula;
FROM NumberIO IMPORT WriteInt;
FROM StrIO IMPORT WriteLn;
VAR sum: INTEGER;

PROCEDURE fourth (n: INTEGER): INTEGER;
BEGIN
  RETURN n
END fourth;

PROCEDURE others (n: INTEGER): INTEGER;
BEGIN
  RETURN n + 1
END others;

PROCEDURE choose (n: INTEGER): INTEGER;
BEGIN
  IF n MOD 4 = 0 THEN
    RETURN fourth (n) + 1
  END;
  RETURN others (n) - 1
END choose;

PROCEDURE work;
VAR n: INTEGER;
BEGIN
  FOR n := 0 TO 999 DO
    sum := sum + choose (n)
  END
END work;

BEGIN
  sum := 0;
  work;
  WriteInt (sum, 0);
  WriteLn
END modula.
