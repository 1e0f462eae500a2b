package fairsim.oracle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptContainerFinishedEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;

/**
 * Turns what the scheduler does into a list of decisions, in the order in which it took them.
 *
 * <p>An allocated and a finished container are told by the event that the container sends at that
 * moment. A reservation sends none: all nodes are looked at whenever one of those events comes
 * and when the step is over. A heartbeat serves one node, drops or fulfils its reservation before
 * it assigns anything else and ends with a new one, so the order is exact there. Where several
 * nodes lose their reservation in one step (an app ends), they are told by node name.
 */
final class Watch implements World.Watcher {
  private final World world;
  private final Map<ApplicationAttemptId, Attempt> attempts;
  private final Map<String, Node> nodes;
  private final Set<ContainerId> known = new HashSet<ContainerId>();
  private final Map<String, RMContainer> reserved = new TreeMap<String, RMContainer>();
  private List<Object> decisions = new ArrayList<Object>();

  Watch(World world, Map<ApplicationAttemptId, Attempt> attempts, Map<String, Node> nodes) {
    this.world = world;
    this.attempts = attempts;
    this.nodes = nodes;
  }

  /** The decisions since the last call. */
  List<Object> drain() {
    reservations(null);
    runnable();
    List<Object> drained = decisions;
    decisions = new ArrayList<Object>();
    return drained;
  }

  @Override
  public void saw(Event<?> event) {
    if (event.getType().toString().equals("CONTAINER_ALLOCATED")) {
      allocated((ApplicationAttemptId) Reflect.call(event, "getApplicationAttemptId"));
    } else if (event instanceof RMAppAttemptContainerFinishedEvent) {
      reservations(null);
      ContainerStatus status = ((RMAppAttemptContainerFinishedEvent) event).getContainerStatus();
      Map<String, Object> decision = decision("finish");
      decision.put("container", name(status.getContainerId()));
      decision.put("exit", status.getExitStatus());
    }
  }

  private void allocated(ApplicationAttemptId id) {
    FSAppAttempt attempt = world.scheduler.getSchedulerApp(id);
    for (RMContainer container : attempt.getLiveContainers()) {
      if (!known.add(container.getContainerId())) {
        continue;
      }
      String node = container.getContainer().getNodeId().getHost();
      RMContainer before = reserved.get(node);
      boolean fulfilled = before != null
          && before.getContainerId().equals(container.getContainerId());
      reservations(fulfilled ? node : null);
      Map<String, Object> decision = decision("allocate");
      describe(decision, container);
      if (fulfilled) {
        reserved.remove(node);
        decision.put("reserved", true);
      }
    }
  }

  /**
   * Reservations made and dropped since the last look.
   *
   * @param fulfilled a node whose reservation has just become a container
   */
  private void reservations(String fulfilled) {
    for (Map.Entry<String, Node> entry : nodes.entrySet()) {
      String host = entry.getKey();
      if (host.equals(fulfilled)) {
        continue;
      }
      SchedulerNode node = world.scheduler.getSchedulerNode(entry.getValue().id);
      RMContainer now = node == null ? null : node.getReservedContainer();
      RMContainer before = reserved.get(host);
      if (now == before) {
        continue;
      }
      if (before != null) {
        reserved.remove(host);
        describe(decision("unreserve"), before);
      }
      if (now != null && known.contains(now.getContainerId())) {
        continue; // it has just been fulfilled; the node forgets it in a moment
      }
      if (now != null) {
        reserved.put(host, now);
        describe(decision("reserve"), now);
      }
    }
  }

  /** Apps that run now and waited before; of one step in the order of their ids. */
  private void runnable() {
    for (Attempt attempt : attempts.values()) {
      FSAppAttempt inside = attempt.runnable ? null : attempt.inScheduler();
      if (inside != null && isRunnable(inside)) {
        attempt.runnable = true;
        decision("runnable").put("app", attempt.id.getApplicationId().getId());
      }
    }
  }

  static boolean isRunnable(FSAppAttempt attempt) {
    return ((List<?>) Reflect.get(Reflect.call(attempt, "getQueue"), "runnableApps"))
        .contains(attempt);
  }

  /** A node is gone or comes; with it goes the reservation. */
  void removed(String host) {
    RMContainer before = reserved.remove(host);
    if (before != null) {
      describe(decision("unreserve"), before);
    }
  }

  /** A container that was marked and is left alone after all, unless it has just ended. */
  void spared(RMContainer container) {
    if (world.scheduler.getRMContainer(container.getContainerId()) != null) {
      describe(decision("unmark"), container);
    }
  }

  /**
   * Containers chosen to die.
   *
   * @param by the starved app, as far as one is known (2.9 and newer)
   * @param due when they die; 0 when that is not fixed yet (up to 2.8)
   */
  void marked(List<Object> containers, FSAppAttempt by, long due) {
    for (Object item : containers) {
      RMContainer container = (RMContainer) item;
      Map<String, Object> decision = decision("mark");
      describe(decision, container);
      if (by != null) {
        decision.put("for", by.getApplicationId().getId());
        decision.put("due", due);
      }
    }
  }

  Map<String, Object> decision(String what) {
    Map<String, Object> decision = new LinkedHashMap<String, Object>();
    decision.put("do", what);
    decisions.add(decision);
    return decision;
  }

  static void describe(Map<String, Object> decision, RMContainer container) {
    decision.put("container", name(container.getContainerId()));
    decision.put("node", container.getContainer().getNodeId().getHost());
    decision.put("priority", container.getContainer().getPriority().getPriority());
    decision.put("size", Answers.resource(container.getContainer().getResource()));
  }

  /** [app, number], and the number of the attempt when it is not the first. */
  static List<Object> name(ContainerId id) {
    List<Object> name = new ArrayList<Object>();
    name.add(id.getApplicationAttemptId().getApplicationId().getId());
    name.add(id.getContainerId());
    if (id.getApplicationAttemptId().getAttemptId() != 1) {
      name.add(id.getApplicationAttemptId().getAttemptId());
    }
    return name;
  }
}
