package fairsim.oracle;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;

/** The modes of the oracle. */
final class Cases {
  private final File folder;
  private final Logs logs;
  private Map<String, Object> typesOfThisJvm;
  private Compute compute;

  Cases(File folder, Logs logs) {
    this.folder = folder;
    this.logs = logs;
  }

  void answer(Map<String, Object> request, Map<String, Object> answer) throws IOException {
    String mode = String.valueOf(request.get("mode"));
    switch (mode) {
      case "load":
      case "shares":
      case "place":
      case "run":
        load(request, answer, mode);
        break;
      case "compute":
        compute(request).shares(request, answer);
        break;
      case "bench":
        compute(request).bench(input(request), answer);
        break;
      case "version":
        answer.put("hadoop", VersionInfo.getVersion());
        answer.put("java", System.getProperty("java.version"));
        break;
      default:
        throw new IllegalArgumentException("no such mode: " + mode);
    }
  }

  /** Hadoop sizes constants by the first set of types it sees, so a JVM serves only that set. */
  void fixTypes(Map<String, Object> request) throws IOException {
    Map<String, Object> types = object(request, "resource_types");
    if (typesOfThisJvm == null) {
      typesOfThisJvm = types;
      warmUp(types);
    } else if (!typesOfThisJvm.equals(types)) {
      throw new IllegalArgumentException("this JVM serves resource types " + typesOfThisJvm
          + "; the run script starts one JVM per set");
    }
  }

  /** One empty case, so that what Hadoop warns about once per JVM is in nobody's answer. */
  private void warmUp(Map<String, Object> types) throws IOException {
    try (World world = new World(folder, Collections.<String, Object>emptyMap(), types)) {
      world.writeAllocations("<allocations/>".getBytes(StandardCharsets.UTF_8));
      world.init();
      world.addNode(1, Collections.<String, Object>singletonMap("memory-mb", 1L));
    } catch (RuntimeException e) {
      // Types that Hadoop refuses, for example: every case will say so itself.
    }
  }

  private Compute compute(Map<String, Object> request) throws IOException {
    if (compute == null) {
      compute = new Compute(folder, object(request, "resource_types"));
    }
    return compute;
  }

  /** The request, or where it names a "file", the JSON in it with the request's own keys on top. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> input(Map<String, Object> request) throws IOException {
    if (request.get("file") == null) {
      return request;
    }
    String text = new String(Files.readAllBytes(Paths.get((String) request.get("file"))),
        StandardCharsets.UTF_8);
    Map<String, Object> both =
        new LinkedHashMap<String, Object>((Map<String, Object>) Json.parse(text));
    both.putAll(request);
    return both;
  }

  private void load(Map<String, Object> request, Map<String, Object> answer, String mode)
      throws IOException {
    boolean shares = mode.equals("shares");
    logs.clear();
    World world;
    try {
      world = new World(folder, object(request, "site"), object(request, "resource_types"));
    } catch (RuntimeException e) {
      answer.put("loaded", false);
      answer.put("error", Answers.error(e));
      answer.put("warnings", logs.drain());
      World.forgetStatics();
      return;
    }
    try {
      world.writeAllocations(bytes(request));
      if (request.get("clock") != null) {
        world.clock.now = ((Number) request.get("clock")).longValue();
      }
      if (mode.equals("place") || mode.equals("run")) {
        Groups.install(world.conf); // the placement rules look for it while they are made
        Rest.put(world);
      }
      try {
        world.init();
      } catch (RuntimeException e) {
        answer.put("loaded", false);
        answer.put("error", Answers.error(e));
        answer.put("warnings", logs.drain());
        return;
      }
      answer.put("loaded", true);
      answer.put("warnings", logs.drain());
      if (mode.equals("run")) {
        run(world, request, answer);
        return;
      }
      addNodes(world, request);
      create(world, request, answer);
      reloads(world, request, answer);
      if (mode.equals("place")) {
        place(world, request, answer);
        return;
      }
      Apps apps = new Apps(world);
      if (shares) {
        addApps(world, apps, request, answer);
        Reflect.call(world.scheduler, "update");
      }
      Tree tree = new Tree(world, shares || request.containsKey("cluster")
          || request.containsKey("nodes"));
      answer.put("queues", tree.queues());
      if (shares) {
        answer.put("apps", apps.answer());
      }
      if (!Boolean.FALSE.equals(request.get("config"))) {
        answer.put("config", tree.configuration());
      }
      answer.put("later_warnings", logs.drain());
    } finally {
      world.close();
      logs.clear();
    }
  }

  private void place(World world, Map<String, Object> request, Map<String, Object> answer) {
    Place place = new Place(world);
    answer.put("rules", Placement.rules(world));
    answer.put("submissions", place.submissions(list(request, "submissions"),
        Boolean.TRUE.equals(request.get("stateful"))));
    answer.put("acl", place.acls(list(request, "acl")));
    if (Boolean.TRUE.equals(request.get("queues"))) {
      answer.put("queues", new Tree(world, false).queues());
    }
    answer.put("later_warnings", logs.drain());
  }

  private void run(World world, Map<String, Object> request, Map<String, Object> answer) {
    Run run = new Run(world, request);
    long begin = System.nanoTime();
    answer.put("events",
        run.answers(list(request, "events"), Boolean.TRUE.equals(request.get("show"))));
    if (Boolean.TRUE.equals(request.get("timed"))) {
      answer.put("elapsed_ms", (System.nanoTime() - begin) / 1_000_000);
    }
    answer.put("later_warnings", logs.drain());
  }

  /** "alloc_b64" (raw bytes), else "alloc" (text, written as UTF-8), else no file at all. */
  private static byte[] bytes(Map<String, Object> request) {
    if (request.get("alloc_b64") != null) {
      return Base64.getDecoder().decode((String) request.get("alloc_b64"));
    }
    Object text = request.get("alloc");
    return text == null ? null : ((String) text).getBytes(StandardCharsets.UTF_8);
  }

  private static void addNodes(World world, Map<String, Object> request) {
    List<Map<String, Object>> nodes = list(request, "nodes");
    if (nodes.isEmpty() && request.get("cluster") != null) {
      nodes = Collections.singletonList(object(request, "cluster"));
    }
    int number = 0;
    for (Map<String, Object> node : nodes) {
      world.addNode(++number, node);
    }
  }

  /** "reload": further texts of the file, each read as by a running ResourceManager. */
  private void reloads(World world, Map<String, Object> request, Map<String, Object> answer)
      throws IOException {
    if (request.get("reload") == null) {
      return;
    }
    List<Object> outcomes = new ArrayList<Object>();
    for (Object text : (List<?>) request.get("reload")) {
      world.writeAllocations(((String) text).getBytes(StandardCharsets.UTF_8));
      Map<String, Object> outcome = new LinkedHashMap<String, Object>();
      try {
        world.reload();
        outcome.put("loaded", true);
      } catch (Exception e) {
        outcome.put("loaded", false);
        outcome.put("error", Answers.error(e));
      }
      outcome.put("warnings", logs.drain());
      outcomes.add(outcome);
    }
    answer.put("reloads", outcomes);
  }

  /**
   * "dynamic" (leaf queues) and "dynamic_parents": queues that users made; a name that cannot be
   * made is in "not_created".
   */
  private static void create(World world, Map<String, Object> request,
      Map<String, Object> answer) {
    List<Object> refused = new ArrayList<Object>();
    for (Object name : names(request, "dynamic")) {
      if (leaf(world, (String) name, true) == null) {
        refused.add(name);
      }
    }
    for (Object name : names(request, "dynamic_parents")) {
      if (world.scheduler.getQueueManager().getParentQueue((String) name, true) == null) {
        refused.add(name);
      }
    }
    if (!refused.isEmpty()) {
      answer.put("not_created", refused);
    }
  }

  private static void addApps(World world, Apps apps, Map<String, Object> request,
      Map<String, Object> answer) {
    List<Object> absent = new ArrayList<Object>();
    Map<String, Object> one = Collections.<String, Object>emptyMap();
    for (Object name : names(request, "active")) {
      FSLeafQueue leaf = leaf(world, (String) name, false);
      if (leaf == null) {
        absent.add(name);
      } else {
        apps.add(leaf, one);
      }
    }
    for (Map.Entry<String, Object> entry : object(request, "apps").entrySet()) {
      FSLeafQueue leaf = leaf(world, entry.getKey(), false);
      if (leaf == null) {
        absent.add(entry.getKey());
        continue;
      }
      for (Object app : (List<?>) entry.getValue()) {
        @SuppressWarnings("unchecked")
        Map<String, Object> map = (Map<String, Object>) app;
        apps.add(leaf, map);
      }
    }
    if (!absent.isEmpty()) {
      answer.put("not_found", absent);
    }
  }

  private static FSLeafQueue leaf(World world, String name, boolean create) {
    FSQueue queue = create
        ? world.scheduler.getQueueManager().getLeafQueue(name, true)
        : world.scheduler.getQueueManager().getQueue(name);
    return queue instanceof FSLeafQueue ? (FSLeafQueue) queue : null;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> request, String key) {
    Object value = request.get(key);
    return value == null ? Collections.<String, Object>emptyMap() : (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> request, String key) {
    Object value = request.get(key);
    return value == null ? Collections.<Map<String, Object>>emptyList()
        : (List<Map<String, Object>>) value;
  }

  private static List<?> names(Map<String, Object> request, String key) {
    Object value = request.get(key);
    return value == null ? Collections.emptyList() : (List<?>) value;
  }
}
