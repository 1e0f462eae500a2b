package fairsim.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSParentQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;

/** The state of the scheduler between two events. */
final class Snapshot {
  private Snapshot() {
  }

  static void put(World world, Iterable<Attempt> attempts, Map<String, Node> nodes,
      Map<String, Object> answer) {
    Map<String, Object> queues = new LinkedHashMap<String, Object>();
    walk(world.root(), queues);
    answer.put("queues", queues);
    Map<String, Object> apps = new LinkedHashMap<String, Object>();
    for (Attempt attempt : attempts) {
      FSAppAttempt inside = attempt.inScheduler();
      if (inside != null) {
        apps.put(String.valueOf(attempt.id.getApplicationId().getId()), app(attempt, inside));
      }
    }
    answer.put("apps", apps);
    Map<String, Object> all = new LinkedHashMap<String, Object>();
    for (Map.Entry<String, Node> entry : nodes.entrySet()) {
      SchedulerNode node = world.scheduler.getSchedulerNode(entry.getValue().id);
      if (node != null) {
        all.put(entry.getKey(), node(node));
      }
    }
    answer.put("nodes", all);
    QueueMetrics root = world.scheduler.getRootQueueMetrics();
    Map<String, Object> available = new LinkedHashMap<String, Object>();
    available.put("memory-mb", ((Number) Reflect.call(root, "getAvailableMB")).longValue());
    available.put("vcores", ((Number) Reflect.call(root, "getAvailableVirtualCores")).longValue());
    answer.put("root_available", available);
  }

  private static void walk(FSQueue queue, Map<String, Object> into) {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("used", Answers.resource(queue.getResourceUsage()));
    map.put("demand", Answers.resource(queue.getDemand()));
    map.put("fair", Answers.resource(queue.getFairShare()));
    map.put("steady", Answers.resource(queue.getSteadyFairShare()));
    map.put("runnable", queue.getNumRunnableApps());
    if (queue instanceof FSLeafQueue) {
      map.put("waiting", ((Collection<?>) Reflect.get(queue, "nonRunnableApps")).size());
      map.put("am_used", Answers.resource((Resource) Reflect.get(queue, "amResourceUsage")));
      map.put("am_limit", AmLimit.of((FSLeafQueue) queue));
    }
    into.put(queue.getName(), map);
    if (queue instanceof FSParentQueue) {
      for (FSQueue child : queue.getChildQueues()) {
        walk(child, into);
      }
    }
  }

  private static Map<String, Object> app(Attempt attempt, FSAppAttempt inside) {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("queue", Reflect.call(Reflect.call(inside, "getQueue"), "getName"));
    map.put("runnable", attempt.runnable);
    map.put("used", Answers.resource(inside.getResourceUsage()));
    map.put("demand", Answers.resource(inside.getDemand()));
    map.put("fair", Answers.resource(inside.getFairShare()));
    return map;
  }

  private static Map<String, Object> node(SchedulerNode node) {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("free", Answers.resource((Resource) (Reflect.has(node, "getUnallocatedResource")
        ? Reflect.call(node, "getUnallocatedResource")
        : Reflect.call(node, "getAvailableResource"))));
    Map<List<Object>, Object> containers = new TreeMap<List<Object>, Object>(
        new java.util.Comparator<List<Object>>() {
          @Override
          public int compare(List<Object> a, List<Object> b) {
            for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
              int sign = Long.compare(((Number) a.get(i)).longValue(),
                  ((Number) b.get(i)).longValue());
              if (sign != 0) {
                return sign;
              }
            }
            return a.size() - b.size();
          }
        });
    for (RMContainer container : containers(node)) {
      containers.put(Watch.name(container.getContainerId()), container);
    }
    map.put("containers", new ArrayList<Object>(containers.keySet()));
    RMContainer reserved = node.getReservedContainer();
    if (reserved != null) {
      map.put("reserved", Watch.name(reserved.getContainerId()));
    }
    return map;
  }

  @SuppressWarnings("unchecked")
  private static List<RMContainer> containers(SchedulerNode node) {
    return (List<RMContainer>) (Reflect.has(node, "getCopiedListOfRunningContainers")
        ? Reflect.call(node, "getCopiedListOfRunningContainers")
        : Reflect.call(node, "getRunningContainers"));
  }
}
