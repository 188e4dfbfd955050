# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program on an emulated terminal (TERM=ansi): the content of the screen, and input."""
import array, fcntl, os, pty, re, select, sys, termios, time

class Terminal:
    def __init__(self, command, rows=24, columns=80):
        self.mark = False
        self.rest = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "ansi"
            os.environ.pop("LINES", None), os.environ.pop("COLUMNS", None)
            self.fd = 0
            self.resize(rows, columns)
            os.execv(command[0], command)
        self.forget(rows, columns)

    def forget(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.marked = [[False] * columns for _ in range(rows)]  # drawn in another way than plain
        self.row = self.column = 0

    def resize(self, rows, columns):
        """A program that draws on it has to draw all of it again."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, array.array("H", [rows, columns, 0, 0]))
        self.forget(rows, columns)

    def put(self, text):
        """What the program has written; an unfinished sequence is kept for the next time."""
        text, self.rest = self.rest + text, ""
        while text:
            escape = re.match(r"\x1b(\[([0-9;?]*)([A-Za-z@`])|[()][A-Z0-9]|[=>78cDEHM])", text)
            if escape:
                if escape.group(3):
                    numbers = escape.group(2).strip("?").split(";")
                    self.control(escape.group(3), [int(n or 0) for n in numbers])
                text = text[escape.end():]
            elif text[0] == "\x1b":
                self.rest = text
                return
            else:
                self.character(text[0])
                text = text[1:]

    def character(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.row = min(self.row + 1, self.rows - 1)
        elif c == "\b":
            self.column = max(self.column - 1, 0)
        elif c == "\t":
            self.column = min(self.column // 8 * 8 + 8, self.columns - 1)
        elif c >= " ":
            self.cells[self.row][self.column] = c
            self.marked[self.row][self.column] = self.mark
            self.column += 1
            if self.column == self.columns:
                self.row, self.column = min(self.row + 1, self.rows - 1), 0

    def clear(self, first, last):
        for place in range(first, last):
            self.cells[place // self.columns][place % self.columns] = " "
            self.marked[place // self.columns][place % self.columns] = False

    def go(self, row, column):
        """Not out of the screen: the program may still draw for the one before it was resized."""
        self.row, self.column = min(row, self.rows - 1), min(column, self.columns - 1)

    def control(self, letter, numbers):
        n, here = max(numbers[0], 1), self.row * self.columns + min(self.column, self.columns - 1)
        if letter == "H" or letter == "f":
            self.go(n - 1, max(numbers[1], 1) - 1 if len(numbers) > 1 else 0)
        elif letter == "A":
            self.row = max(self.row - n, 0)
        elif letter == "B":
            self.row = min(self.row + n, self.rows - 1)
        elif letter == "C":
            self.column = min(self.column + n, self.columns - 1)
        elif letter == "D":
            self.column = max(self.column - n, 0)
        elif letter == "G" or letter == "`":
            self.go(self.row, n - 1)
        elif letter == "d":
            self.go(n - 1, self.column)
        elif letter == "J":
            size = self.rows * self.columns
            self.clear(*{0: (here, size), 1: (0, here + 1)}.get(numbers[0], (0, size)))
        elif letter == "K":
            start = self.row * self.columns
            end = start + self.columns
            self.clear(*{0: (here, end), 1: (start, here + 1)}.get(numbers[0], (start, end)))
        elif letter == "X":
            self.clear(here, min(here + n, self.rows * self.columns))
        elif letter == "P" or letter == "@":
            for table, blank in (self.cells, " "), (self.marked, False):
                line = table[self.row]
                if letter == "P":
                    line[self.column:] = line[self.column + n:] + [blank] * n
                else:
                    room = self.columns - self.column
                    line[self.column:] = ([blank] * n + line[self.column:])[:room]
                table[self.row] = (line + [blank] * self.columns)[:self.columns]
        elif letter == "L" or letter == "M":
            for table, blank in (self.cells, " "), (self.marked, False):
                for _ in range(n):
                    if letter == "L":
                        table.insert(self.row, [blank] * self.columns), table.pop()
                    else:
                        table.pop(self.row), table.append([blank] * self.columns)
        elif letter == "b":
            for _ in range(n):
                self.character(self.cells[self.row][self.column - 1])
        elif letter == "m":
            self.mark = numbers != [0] and any(numbers) and numbers[-1] not in (0, 10)
        elif letter == "S":
            for _ in range(n):
                self.cells.pop(0), self.cells.append([" "] * self.columns)
                self.marked.pop(0), self.marked.append([False] * self.columns)

    def lines(self):
        return ["".join(line).rstrip() for line in self.cells]

    def read(self, seconds):
        """False: the program is gone."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.put(data.decode("utf-8", "replace"))
        return bool(data)

    def wait(self, what, is_there):
        """Until IS_THERE is true of what is drawn; else the program draws something wrong."""
        end = time.time() + 60
        while time.time() < end:
            if is_there(self.lines()):
                return
            if not self.read(0.2):
                break
        print(f"not drawn: {what}\n" + "\n".join("|" + line for line in self.lines()))
        sys.stdout.flush()
        os.close(self.fd)
        os._exit(1)

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        """The program's status, when it has ended."""
        while self.read(60):
            pass
        return os.waitpid(self.pid, 0)[1]
