package fairsim.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.AllocationConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.SchedulingPolicy;

/** Tells what a scheduler holds after it read its allocation file. */
final class Tree {
  private final World world;
  private final AllocationConfiguration config;
  private final boolean shares;

  /**
   * @param shares whether fair shares, demand and AM limits are wanted too
   */
  Tree(World world, boolean shares) {
    this.world = world;
    this.shares = shares;
    config = world.scheduler.getAllocationConfiguration();
  }

  /** Every queue, parents before children, children in the scheduler's own order. */
  List<Object> queues() {
    List<Object> list = new ArrayList<Object>();
    walk(world.root(), null, list);
    return list;
  }

  private void walk(FSQueue queue, String parent, List<Object> into) {
    into.add(queue(queue, parent));
    for (FSQueue child : queue.getChildQueues()) {
      walk(child, queue.getName(), into);
    }
  }

  private Map<String, Object> queue(FSQueue queue, String parent) {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("name", queue.getName());
    map.put("parent", parent);
    map.put("leaf", queue instanceof FSLeafQueue);
    put(map, "dynamic", queue, "isDynamic");
    map.put("policy", queue.getPolicy().getName());
    map.put("weight", weight(queue));
    map.put("min", Answers.resource(queue.getMinShare()));
    map.put("max", Answers.resource(queue.getMaxShare()));
    configured(map, "max_configured", queue, "maxShare"); // before min is let to raise it
    configured(map, "max_child", queue, "maxChildQueueResource");
    putAny(map, "max_running_apps", queue, "getMaxRunningApps", "getQueueMaxApps");
    putAny(map, "max_am_share", queue, "getMaxAMShare", "getQueueMaxAMShare");
    put(map, "min_share_preemption_timeout_ms", queue, "getMinSharePreemptionTimeout");
    put(map, "fair_share_preemption_timeout_ms", queue, "getFairSharePreemptionTimeout");
    put(map, "fair_share_preemption_threshold", queue, "getFairSharePreemptionThreshold");
    put(map, "preemptable", queue, "isPreemptable");
    if (Reflect.has(queue, "getMaximumContainerAllocation")) {
      // The queue's own or inherited cap, and the largest request that the scheduler lets in.
      map.put("max_container_allocation",
          Answers.resource((Resource) Reflect.call(queue, "getMaximumContainerAllocation")));
      map.put("max_request", Answers.resource(
          (Resource) Reflect.call(world.scheduler, "getMaximumResourceCapability", queue.getName())));
    }
    if (Reflect.hasField(AllocationConfiguration.class, "reservableQueues")) { // 2.7 and newer
      map.put("reservable",
          ((Collection<?>) Reflect.get(config, "reservableQueues")).contains(queue.getName()));
    }
    if (shares) {
      map.put("steady", Answers.resource(queue.getSteadyFairShare()));
      map.put("fair", Answers.resource(queue.getFairShare()));
      map.put("demand", Answers.resource(queue.getDemand()));
      map.put("runnable_apps", queue.getNumRunnableApps());
      if (queue instanceof FSLeafQueue) {
        map.put("am_limit", AmLimit.of((FSLeafQueue) queue));
      }
    }
    return map;
  }

  /** A limit as the file gives it, percentages taken of the present cluster (2.9 and newer). */
  private void configured(Map<String, Object> map, String key, FSQueue queue, String field) {
    if (Reflect.hasField(FSQueue.class, field)) {
      Object limit = Reflect.get(queue, field);
      map.put(key, limit == null ? null : Answers.resource((Resource) Reflect.call(
          limit, "getResource", world.scheduler.getClusterResource())));
    }
  }

  /** The weight as the float's exact value (2.x keeps one float per type, all equal). */
  private static Object weight(FSQueue queue) {
    if (Reflect.has(queue, "getWeight")) {
      return Reflect.call(queue, "getWeight");
    }
    Object weights = Reflect.call(queue, "getWeights");
    return ((float[]) Reflect.get(weights, "weights"))[0];
  }

  private static void put(Map<String, Object> map, String key, Object target, String method) {
    if (Reflect.has(target, method)) {
      map.put(key, Reflect.call(target, method));
    }
  }

  /** A value that newer lines keep in the queue and older ones in the configuration. */
  private void putAny(Map<String, Object> map, String key, FSQueue queue, String inQueue,
      String inConfig) {
    if (Reflect.has(queue, inQueue)) {
      map.put(key, Reflect.call(queue, inQueue));
    } else {
      map.put(key, Reflect.call(config, inConfig, queue.getName()));
    }
  }

  /** What the file said, whether or not the scheduler made a queue of it. */
  Map<String, Object> configuration() {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    Map<?, ?> configured = (Map<?, ?>) Reflect.call(config, "getConfiguredQueues");
    for (Map.Entry<?, ?> entry : configured.entrySet()) {
      // In Hadoop's own iteration order: queues are created in it.
      map.put(entry.getKey().toString().toLowerCase(Locale.ROOT),
          Answers.strings((Collection<?>) entry.getValue()));
    }
    map.put("acls", acls("queueAcls"));
    if (Reflect.hasField(AllocationConfiguration.class, "resAcls")) { // 2.8 and newer
      map.put("reservation_acls", acls("resAcls"));
    }
    map.put("default_policy",
        ((SchedulingPolicy) Reflect.get(config, "defaultSchedulingPolicy")).getName());
    field(map, "queue_max_apps_default", "queueMaxAppsDefault");
    field(map, "queue_max_am_share_default", "queueMaxAMShareDefault");
    field(map, "user_max_apps_default", "userMaxAppsDefault");
    map.put("user_max_apps", new TreeMap<Object, Object>(
        (Map<?, ?>) Reflect.get(config, "userMaxApps")));
    map.put("placement", Placement.rules(world));
    return map;
  }

  private void field(Map<String, Object> map, String key, String field) {
    if (Reflect.hasField(AllocationConfiguration.class, field)) {
      map.put(key, Reflect.get(config, field));
    }
  }

  /** Queue name to kind (submit, admin; of reservations also list) to list. */
  private Map<String, Object> acls(String field) {
    Map<String, Object> map = new TreeMap<String, Object>();
    Map<?, ?> all = (Map<?, ?>) Reflect.get(config, field);
    for (Map.Entry<?, ?> queue : all.entrySet()) {
      Map<String, Object> kinds = new TreeMap<String, Object>();
      for (Map.Entry<?, ?> kind : ((Map<?, ?>) queue.getValue()).entrySet()) {
        String name = kind.getKey().toString();
        // One pair of words for all lines.
        name = name.toLowerCase(Locale.ROOT).split("_")[0].replace("administer", "admin");
        kinds.put(name, Answers.acl((AccessControlList) kind.getValue()));
      }
      map.put(queue.getKey().toString(), kinds);
    }
    return map;
  }
}
