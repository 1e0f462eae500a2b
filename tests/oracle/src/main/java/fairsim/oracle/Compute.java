package fairsim.oracle;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.ComputeFairShares;

/** Hadoop's share search alone: on items of a case, or timed. */
final class Compute {
  private final World world;
  private final List<Item> pool = new ArrayList<Item>();
  private final Method instant;
  private final Method steady;

  Compute(File folder, Map<String, Object> types) throws IOException {
    world = new World(folder, Collections.<String, Object>emptyMap(), types);
    world.writeAllocations("<allocations/>".getBytes(StandardCharsets.UTF_8));
    world.init();
    instant = search("computeShares");
    steady = search("computeSteadyShares");
  }

  private static Method search(String name) {
    for (Method method : ComputeFairShares.class.getDeclaredMethods()) {
      if (method.getName().equals(name)) {
        method.setAccessible(true);
        return method;
      }
    }
    throw new Reflect.NoSuchMemberException(name);
  }

  /** The type as this line names it: a string since 3.0, before that an enum. */
  private Object type(String name) {
    Class<?> wanted = instant.getParameterTypes()[2];
    if (wanted == String.class) {
      return name;
    }
    for (Object constant : wanted.getEnumConstants()) {
      if (constant.toString().equals(name.equals("vcores") ? "CPU" : "MEMORY")) {
        return constant;
      }
    }
    throw new IllegalArgumentException("no type " + name + " in this line");
  }

  /** "items": [[weight, min, max, active], ...], "total", "type"; gives both kinds of share. */
  void shares(Map<String, Object> request, Map<String, Object> answer) {
    String type = type(request);
    List<Item> items = items((List<?>) request.get("items"), type);
    Resource total = of(type, ((Number) request.get("total")).longValue());
    answer.put("instant", run(instant, items, total, type, "getFairShare"));
    answer.put("steady", run(steady, items, total, type, "getSteadyFairShare"));
  }

  private static String type(Map<String, Object> request) {
    return request.containsKey("type") ? (String) request.get("type") : "memory-mb";
  }

  private List<Object> run(Method search, List<Item> items, Resource total, String type,
      String getter) {
    call(search, items, total, type(type));
    List<Object> shares = new ArrayList<Object>();
    for (Item item : items) {
      shares.add(Answers.resource((Resource) Reflect.call(item, getter)).get(type));
    }
    return shares;
  }

  private static void call(Method search, Collection<?> items, Resource total, Object type) {
    try {
      search.invoke(null, items, total, type);
    } catch (ReflectiveOperationException e) {
      throw Reflect.<RuntimeException>sneaky(e.getCause() != null ? e.getCause() : e);
    }
  }

  private List<Item> items(List<?> descriptions, String type) {
    List<Item> items = new ArrayList<Item>();
    for (Object description : descriptions) {
      List<?> parts = (List<?>) description;
      while (pool.size() <= items.size()) {
        pool.add(new Item("root.i" + pool.size(), world));
      }
      Item item = pool.get(items.size());
      item.set(weight(parts.get(0)), of(type, ((Number) parts.get(1)).longValue()),
          of(type, ((Number) parts.get(2)).longValue()),
          parts.size() < 4 || (Boolean) parts.get(3));
      items.add(item);
    }
    return items;
  }

  private static float weight(Object value) {
    // As the loader does it: text to double to float.
    return (float) Double.parseDouble(value.toString());
  }

  private static Resource of(String type, long value) {
    return World.resource(Collections.<String, Object>singletonMap(type, value));
  }

  /**
   * Nanoseconds per call of the search: "reps" calls after "warmup" calls.
   *
   * <p>The items are "items", or made from "n" and "seed" by {@link #made}. Each call goes through
   * java.lang.reflect, some 0.05 microseconds.
   */
  void bench(Map<String, Object> request, Map<String, Object> answer) {
    String type = type(request);
    List<?> descriptions = (List<?>) request.get("items");
    if (descriptions == null) {
      descriptions = made(((Number) request.get("n")).intValue(),
          request.containsKey("seed") ? ((Number) request.get("seed")).longValue() : 0);
    }
    List<Item> items = items(descriptions, type);
    long totalValue = request.containsKey("total") ? ((Number) request.get("total")).longValue()
        : 4096L * items.size();
    Resource total = of(type, totalValue);
    boolean isSteady = Boolean.TRUE.equals(request.get("steady"));
    Method search = isSteady ? steady : instant;
    Object typeName = type(type);
    int warmup = request.containsKey("warmup") ? ((Number) request.get("warmup")).intValue() : 2000;
    for (int i = 0; i < warmup; i++) {
      call(search, items, total, typeName);
    }
    int reps = request.containsKey("reps") ? ((Number) request.get("reps")).intValue() : 1000;
    long[] ns = new long[reps];
    for (int i = 0; i < reps; i++) {
      long start = System.nanoTime();
      call(search, items, total, typeName);
      ns[i] = System.nanoTime() - start;
    }
    Arrays.sort(ns);
    long sum = 0;
    for (Item item : items) {
      sum += (Long) Answers.resource(
          isSteady ? item.getSteadyFairShare() : item.getFairShare()).get(type);
    }
    answer.put("n", items.size());
    answer.put("reps", reps);
    answer.put("total", totalValue);
    answer.put("ns_per_call_median", ns[reps / 2]);
    answer.put("ns_per_call_min", ns[0]);
    answer.put("ns_per_call_max", ns[reps - 1]);
    answer.put("sum_of_shares", sum);
  }

  /**
   * n items from java.util.Random(seed): weight 1 + nextInt(10), min nextInt(2048), then
   * nextInt(4) == 0 gives max 1024 + nextInt(1048576), else 2147483647; all active.
   */
  private static List<Object> made(int n, long seed) {
    Random random = new Random(seed);
    List<Object> items = new ArrayList<Object>();
    for (int i = 0; i < n; i++) {
      long weight = 1 + random.nextInt(10);
      long min = random.nextInt(2048);
      long max = random.nextInt(4) == 0 ? 1024L + random.nextInt(1 << 20) : Integer.MAX_VALUE;
      items.add(Arrays.<Object>asList(weight, min, max, true));
    }
    return items;
  }
}
