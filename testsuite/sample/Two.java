// SPDX-License-Identifier: GPL-3.0-or-later
// Two functions; prints how long each has run: nanoseconds of CPU time.
import java.lang.management.ManagementFactory;

public class Two {
  static int sum;

  static void alpha(int n) {
    int x = 0;
    for (int i = 0; i < n; i++)
      x = x * 31 + i;
    sum += x;
  }

  static void beta(int n) {
    int x = 1;
    for (int i = 0; i < n; i++)
      x = (x ^ (x << 3)) + i;
    sum += x;
  }

  static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public static void main(String[] arguments) {
    long tookAlpha = 0, tookBeta = 0, wanted = 1000000 * Long.parseLong(arguments[0]);
    while (tookAlpha < wanted) {
      long begin = now();
      for (int i = 0; i < 20; i++)
        alpha(2000000);
      long middle = now();
      for (int i = 0; i < 20; i++)
        beta(1000000);
      tookAlpha += middle - begin;
      tookBeta += now() - middle;
    }
    System.out.println("alpha " + tookAlpha + "\nbeta " + tookBeta + (sum == 1 ? " " : ""));
  }
}
