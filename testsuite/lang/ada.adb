--  SPDX-License-Identifier: GPL-3.0-or-later
--  The program of lib.sh in Ada: tasks, and null pointers, whose signals the run-time library turns
--  into exceptions.
with Ada.Integer_Text_IO;
procedure Ada_Program is
   type Reference is access Integer;
   Nothing : Reference := null with Volatile;
   Sum : Integer := 0 with Volatile;

   procedure Caught is
   begin
      Sum := 1;
   end Caught;

   function Others_Of (N : Integer) return Integer is (N + 1);

   function Fourth (N : Integer) return Integer is
   begin
      if N mod 20 = 0 then
         return Nothing.all;
      end if;
      return N;
   end Fourth;

   function Choose (N : Integer) return Integer is
   begin
      if N mod 4 = 0 then
         return Fourth (N) + 1;
      end if;
      return Others_Of (N) - 1;
   end Choose;

   procedure Work is
      S : Integer := 0;
   begin
      for N in 0 .. 999 loop
         begin
            S := S + Choose (N);
         exception
            when Constraint_Error => Caught;
         end;
      end loop;
      Sum := S;
   end Work;

   task type Worker;
   task body Worker is
   begin
      Work;
   end Worker;
begin
   declare
      Workers : array (1 .. 4) of Worker;
      pragma Unreferenced (Workers);
   begin
      null;
   end;
   Ada.Integer_Text_IO.Put (Sum);
end Ada_Program;
