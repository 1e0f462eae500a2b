package fairsim.oracle;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers one JSON line per JSON line; see the README for the modes. */
public final class Main {
  private static final long DEFAULT_TIMEOUT_MS = 5000;
  private static final long BENCH_TIMEOUT_MS = 600000;
  /** Exit code that asks the run script for a fresh JVM. */
  private static final int TAINTED = 75;

  private final Logs logs = Logs.install();
  private final Cases cases;

  private Main(File folder) {
    cases = new Cases(folder, logs);
  }

  public static void main(String[] args) throws Exception {
    PrintStream answers = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out),
        false, "US-ASCII");
    System.setOut(System.err); // nothing but answers on standard output
    File folder = Files.createTempDirectory("fairsim-oracle").toFile();
    folder.deleteOnExit();
    new File(folder, "fair-scheduler.xml").deleteOnExit();
    Main main = new Main(folder);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.trim().isEmpty()) {
        continue;
      }
      boolean clean = main.answer(line, answers);
      if (!clean) {
        System.exit(TAINTED);
      }
    }
    System.exit(0); // even if some thread of Hadoop's is left
  }

  /** Prints the answer; false when this JVM should answer no more. */
  private boolean answer(String line, PrintStream answers) throws InterruptedException {
    Map<String, Object> answer = new LinkedHashMap<String, Object>();
    boolean clean = true;
    try {
      @SuppressWarnings("unchecked")
      Map<String, Object> request = (Map<String, Object>) Json.parse(line);
      answer.put("id", request.get("id"));
      answer.put("mode", request.get("mode"));
      Object timeout = request.get("timeout_ms");
      if (timeout == null && "bench".equals(request.get("mode"))) {
        timeout = BENCH_TIMEOUT_MS;
      }
      cases.fixTypes(request); // the slow start of Hadoop is not the case's fault
      clean = watched(request, answer,
          timeout == null ? DEFAULT_TIMEOUT_MS : ((Number) timeout).longValue());
    } catch (RuntimeException | IOException e) {
      answer.put("bad_request", Answers.error(e));
    }
    answers.print(Json.write(answer) + "\n");
    answers.flush();
    return clean;
  }

  /** Runs the case in a thread of its own, so that one that loops for ever costs only itself. */
  @SuppressWarnings({"deprecation", "removal"})
  private boolean watched(final Map<String, Object> request, Map<String, Object> answer,
      long timeoutMs) throws InterruptedException {
    final Map<String, Object> result = new LinkedHashMap<String, Object>();
    Thread thread = new Thread("case") {
      @Override
      public void run() {
        try {
          cases.answer(request, result);
        } catch (ThreadDeath e) {
          throw e;
        } catch (Throwable t) {
          result.put("failed", Answers.error(t));
        }
      }
    };
    thread.setDaemon(true);
    thread.start();
    if (finishes(thread, timeoutMs)) {
      answer.putAll(result);
      return true;
    }
    answer.put("hang", true);
    StackTraceElement[] stack = thread.getStackTrace();
    answer.put("at", Answers.frames(stack, 8));
    if (!inShareSearch(stack)) {
      return false; // who knows what a stopped thread would leave half done
    }
    try {
      thread.stop();
    } catch (UnsupportedOperationException e) {
      return false; // Java 20 and newer
    }
    thread.join(2000);
    logs.clear();
    return !thread.isAlive();
  }

  /**
   * Waits for the thread until it has used its time. Processor time, so that a busy machine makes
   * no case look as if it hung; ten times as much on the wall for a thread that waits for a lock.
   */
  private static boolean finishes(Thread thread, long timeoutMs) throws InterruptedException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = System.nanoTime() + timeoutMs * 10 * 1000000;
    do {
      thread.join(100);
    } while (thread.isAlive() && System.nanoTime() < end
        && threads.getThreadCpuTime(thread.getId()) < timeoutMs * 1000000);
    return !thread.isAlive();
  }

  /** The one loop that is known to run for ever; it only reads and adds, so it can be cut off. */
  private static boolean inShareSearch(StackTraceElement[] stack) {
    for (int i = 0; i < stack.length && i < 6; i++) {
      if (stack[i].getClassName().endsWith(".ComputeFairShares")) {
        return true;
      }
    }
    return false;
  }
}
