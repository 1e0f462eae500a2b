import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The share search of line L over objects behind an interface, as a resource manager holds its queues.
 *
 * Usage: java Shares FILE. FILE: the total, then "weight min max" a line. It prints "ready"; for each line read from
 * standard input it searches once and prints the nanoseconds of processor time and a hash of the shares.
 */
public final class Shares {
  interface Sibling {
    float weight();

    Amounts least();

    Amounts most();

    Amounts share();
  }

  /** Amounts of several resource types; the search is about one of them. */
  static final class Amounts {
    private final long[] values = new long[2];

    Amounts(long value) {
      values[0] = value;
    }

    long get(int type) {
      return values[type];
    }

    void set(int type, long value) {
      values[type] = value;
    }
  }

  static final class Queue implements Sibling {
    private final float weight;
    private final Amounts least;
    private final Amounts most;
    private final Amounts share = new Amounts(0);

    Queue(float weight, long least, long most) {
      this.weight = weight;
      this.least = new Amounts(least);
      this.most = new Amounts(most);
    }

    @Override
    public float weight() {
      return weight;
    }

    @Override
    public Amounts least() {
      return least;
    }

    @Override
    public Amounts most() {
      return most;
    }

    @Override
    public Amounts share() {
      return share;
    }
  }

  /** A second implementation keeps the calls virtual, as apps do beside queues. */
  static final class App implements Sibling {
    private final Amounts none = new Amounts(0);
    private final Amounts all = new Amounts(Long.MAX_VALUE);
    private final Amounts share = new Amounts(0);

    @Override
    public float weight() {
      return 1.0f;
    }

    @Override
    public Amounts least() {
      return none;
    }

    @Override
    public Amounts most() {
      return all;
    }

    @Override
    public Amounts share() {
      return share;
    }
  }

  private static long add(long left, long right) {
    long sum = left + right;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static long at(Sibling sibling, double ratio, int type) {
    double share = sibling.weight() * ratio;
    share = Math.max(share, sibling.least().get(type));
    return (long) Math.min(share, sibling.most().get(type));
  }

  private static long used(List<Sibling> siblings, double ratio, int type) {
    long sum = 0;
    for (Sibling sibling : siblings) {
      sum = add(sum, at(sibling, ratio, type));
      if (sum == Long.MAX_VALUE) {
        break;
      }
    }
    return sum;
  }

  static void search(List<Sibling> all, long total, int type) {
    List<Sibling> siblings = new ArrayList<>();
    for (Sibling sibling : all) {
      if (sibling.most().get(type) > 0 && !(sibling.weight() <= 0)) {
        siblings.add(sibling);
      }
    }
    long cap = 0;
    for (Sibling sibling : siblings) {
      cap = add(cap, sibling.most().get(type));
    }
    long target = Math.min(cap, total);
    double right = 1.0;
    while (used(siblings, right, type) < target) {
      right *= 2.0;
    }
    double left = 0.0;
    for (int i = 0; i < 25; i++) {
      double middle = (left + right) / 2.0;
      long sum = used(siblings, middle, type);
      if (sum < target) {
        left = middle;
      } else {
        right = middle;
      }
      if (sum == target) {
        break;
      }
    }
    for (Sibling sibling : siblings) {
      sibling.share().set(type, at(sibling, right, type));
    }
  }

  public static void main(String[] args) throws Exception {
    List<String> lines = Files.readAllLines(Path.of(args[0]));
    long total = Long.parseLong(lines.get(0));
    List<Sibling> siblings = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ");
      siblings.add(new Queue(Float.parseFloat(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])));
    }
    List<Sibling> apps = List.of(new App(), new App(), new App());
    for (int i = 0; i < 2000; i++) {
      search(apps, 10240 + i, 0);
    }
    for (int i = 0; i < 8; i++) {
      search(siblings, total, 0);
    }
    System.out.println("ready");
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
    while (orders.readLine() != null) {
      long begun = clock.getCurrentThreadCpuTime();
      search(siblings, total, 0);
      long spent = clock.getCurrentThreadCpuTime() - begun;
      long hash = 0;
      for (Sibling sibling : siblings) {
        hash = hash * 31 + sibling.share().get(0);
      }
      System.out.println(spent + " " + hash);
    }
  }
}
