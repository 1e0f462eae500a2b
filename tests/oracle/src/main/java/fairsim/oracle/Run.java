package fairsim.oracle;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeResourceUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;

/**
 * Mode run: events in, decisions out.
 *
 * <p>Each event is what the ResourceManager would send the scheduler, handled at once and to the
 * end: what the scheduler sends itself meanwhile (the lost ask of a killed container, for
 * example) is delivered before the next event. In the place of the ResourceManager the AM's
 * container is asked for when the attempt was added and taken as soon as it was allocated.
 */
final class Run {
  private static final Method ALLOCATE = allocateMethod();

  private final World world;
  private final Submission submission;
  private final long clusterTimestamp;
  private final Map<String, Node> nodes = new TreeMap<String, Node>();
  private final Map<ApplicationAttemptId, Attempt> attempts =
      new TreeMap<ApplicationAttemptId, Attempt>();
  private final Map<Long, Attempt> current = new LinkedHashMap<Long, Attempt>();
  private final Watch watch;
  private final Preemption preemption;

  Run(World world, Map<String, Object> request) {
    this.world = world;
    clusterTimestamp = number(request, "cluster_timestamp", 1);
    submission = new Submission(world);
    watch = new Watch(world, attempts, nodes);
    world.watcher = watch;
    preemption = new Preemption(world, watch);
  }

  /** The answers to all events, in order. */
  List<Object> answers(List<Map<String, Object>> events, boolean show) {
    List<Object> answers = new ArrayList<Object>();
    for (Map<String, Object> event : events) {
      Map<String, Object> answer = new LinkedHashMap<String, Object>();
      try {
        if (event.containsKey("at")) {
          preemption.advance(number(event, "at", 0));
        }
        handle(event, answer);
        deliver();
      } catch (Exception e) {
        answer.put("error", Answers.error(e));
      }
      List<Object> decisions = watch.drain();
      if (!decisions.isEmpty()) {
        answer.put("decisions", decisions);
      }
      if (show && !Boolean.FALSE.equals(event.get("show"))
          || Boolean.TRUE.equals(event.get("show"))) {
        answer.put("now", world.clock.now);
        Snapshot.put(world, attempts.values(), nodes, answer);
      }
      answers.add(answer);
    }
    return answers;
  }

  private void handle(Map<String, Object> event, Map<String, Object> answer) throws Exception {
    String what = String.valueOf(event.get("event"));
    switch (what) {
      case "add_node":
        addNode(event);
        break;
      case "remove_node":
        removeNode(event);
        break;
      case "resize_node":
        resizeNode(event);
        break;
      case "app":
        app(event, answer);
        break;
      case "attempt":
        attempt(app(event), (int) number(event, "attempt", 2), answer);
        break;
      case "remove_attempt":
        removeAttempt(event);
        break;
      case "remove_app":
        removeApp(event);
        break;
      case "move":
        answer.put("queue", world.scheduler.moveApplication(
            app(event).getApplicationId(), (String) event.get("queue")));
        break;
      case "allocate":
        allocate(event, answer);
        break;
      case "heartbeat":
        heartbeat(event);
        break;
      case "update":
        Reflect.call(world.scheduler, "update");
        break;
      case "preempt":
        preemption.step();
        break;
      case "advance":
        preemption.advance(world.clock.now + number(event, "ms", 0));
        break;
      case "reload":
        world.writeAllocations(((String) event.get("alloc")).getBytes(StandardCharsets.UTF_8));
        world.reload();
        break;
      case "check": // what the reload thread does every ten seconds, from 3.2 on
        Reflect.callIfThere(Reflect.get(Reflect.get(world.scheduler, "allocsLoader"), "reloadListener"),
            "onCheck");
        break;
      case "show":
        break;
      default:
        throw new IllegalArgumentException("no such event: " + what);
    }
  }

  private static long number(Map<String, Object> map, String key, long otherwise) {
    return map.get(key) == null ? otherwise : ((Number) map.get(key)).longValue();
  }

  // --- nodes -----------------------------------------------------------------------------------

  private void addNode(Map<String, Object> event) {
    String host = (String) event.get("node");
    Node node = new Node(host, (int) number(event, "port", 1),
        event.containsKey("rack") ? (String) event.get("rack") : "/default-rack",
        World.resource(size(event)), world.context);
    NetUtils.addStaticResolution(host, "127.0.0.1"); // tokens want an address; no DNS here
    nodes.put(host, node);
    world.addNode(node);
  }

  private void removeNode(Map<String, Object> event) {
    Node node = node(event);
    world.context.getRMNodes().remove(node.id);
    world.scheduler.handle(new NodeRemovedSchedulerEvent(node.proxy));
    watch.removed(node.id.getHost());
    nodes.remove(node.id.getHost());
  }

  private void resizeNode(Map<String, Object> event) {
    Node node = node(event);
    node.size = World.resource(size(event));
    world.scheduler.handle(new NodeResourceUpdateSchedulerEvent(node.proxy,
        ResourceOption.newInstance(node.size, (int) number(event, "overcommit_timeout", -1))));
  }

  private void heartbeat(Map<String, Object> event) {
    Node node = node(event);
    List<ContainerStatus> running = statuses(event, "running", ContainerState.RUNNING);
    List<ContainerStatus> completed = statuses(event, "completed", ContainerState.COMPLETE);
    if (!running.isEmpty() || !completed.isEmpty()) {
      node.report(running, completed);
    }
    world.scheduler.handle(new NodeUpdateSchedulerEvent(node.proxy));
  }

  private List<ContainerStatus> statuses(Map<String, Object> event, String key,
      ContainerState state) {
    List<ContainerStatus> statuses = new ArrayList<ContainerStatus>();
    for (Object name : list(event, key)) {
      statuses.add(ContainerStatus.newInstance(container(name), state, "", 0));
    }
    return statuses;
  }

  private Node node(Map<String, Object> event) {
    Node node = nodes.get((String) event.get("node"));
    if (node == null) {
      throw new IllegalArgumentException("no such node: " + event.get("node"));
    }
    return node;
  }

  // --- apps ------------------------------------------------------------------------------------

  private void app(Map<String, Object> event, Map<String, Object> answer) {
    ApplicationId id = id(event);
    Map<String, Object> submitted = new LinkedHashMap<String, Object>(event);
    submitted.put("unmanaged", event.get("am") == null);
    if (!event.containsKey("user")) {
      submitted.put("user", "user");
    }
    Map<String, Object> verdict = submission.submit(submitted, id);
    answer.putAll(verdict);
    if ("accepted".equals(verdict.get("outcome")) && !Boolean.FALSE.equals(event.get("attempt"))) {
      attempt((RMAppImpl) world.context.getRMApps().get(id), 1, answer);
    }
  }

  private void attempt(RMAppImpl app, int number, Map<String, Object> answer) {
    Attempt attempt = new Attempt(world, app, number);
    attempts.put(attempt.id, attempt);
    current.put((long) app.getApplicationId().getId(), attempt);
    world.scheduler.handle(new AppAttemptAddedSchedulerEvent(attempt.id, false));
    FSAppAttempt inside = attempt.inScheduler();
    attempt.runnable = inside != null && Watch.isRunnable(inside);
    answer.put("runnable", attempt.runnable);
    if (attempt.managed) {
      List<ResourceRequest> asks = new ArrayList<ResourceRequest>();
      asks.add(ResourceRequest.newInstance(Priority.newInstance(0), ResourceRequest.ANY,
          amSize(app), 1));
      allocate(attempt, asks, new ArrayList<ContainerId>(), new ArrayList<String>(),
          new ArrayList<String>());
    }
  }

  /** As RMAppManager normalised it. */
  private static org.apache.hadoop.yarn.api.records.Resource amSize(RMAppImpl app) {
    Object request = Reflect.has(app, "getAMResourceRequests") // 2.9 and newer
        ? ((List<?>) Reflect.call(app, "getAMResourceRequests")).get(0)
        : Reflect.call(app, "getAMResourceRequest");
    return ((ResourceRequest) request).getCapability();
  }

  private void removeAttempt(Map<String, Object> event) {
    Attempt attempt = attempt(event);
    String state = event.containsKey("state") ? (String) event.get("state") : "FINISHED";
    world.scheduler.handle(new AppAttemptRemovedSchedulerEvent(attempt.id,
        RMAppAttemptState.valueOf(state), Boolean.TRUE.equals(event.get("keep"))));
    attempts.remove(attempt.id);
  }

  private void removeApp(Map<String, Object> event) {
    Attempt attempt = current.get(number(event, "app", 0));
    if (attempt != null && attempts.containsKey(attempt.id)) {
      removeAttempt(event);
      deliver();
    }
    String state = event.containsKey("state") ? (String) event.get("state") : "FINISHED";
    ApplicationId id = id(event);
    world.scheduler.handle(new AppRemovedSchedulerEvent(id, RMAppState.valueOf(state)));
    world.context.getRMApps().remove(id);
    current.remove((long) id.getId());
  }

  private ApplicationId id(Map<String, Object> event) {
    return ApplicationId.newInstance(clusterTimestamp, (int) number(event, "app", 0));
  }

  private RMAppImpl app(Map<String, Object> event) {
    RMAppImpl app = (RMAppImpl) world.context.getRMApps().get(id(event));
    if (app == null) {
      throw new IllegalArgumentException("no such app: " + event.get("app"));
    }
    return app;
  }

  private Attempt attempt(Map<String, Object> event) {
    Attempt attempt = current.get(number(event, "app", 0));
    if (attempt == null) {
      throw new IllegalArgumentException("no such app: " + event.get("app"));
    }
    return attempt;
  }

  private ContainerId container(Object name) {
    List<?> parts = (List<?>) name;
    int attempt = parts.size() > 2 ? ((Number) parts.get(2)).intValue() : 1;
    return ContainerId.newContainerId(ApplicationAttemptId.newInstance(
        ApplicationId.newInstance(clusterTimestamp, ((Number) parts.get(0)).intValue()), attempt),
        ((Number) parts.get(1)).longValue());
  }

  // --- what an AM says -------------------------------------------------------------------------

  @SuppressWarnings("unchecked")
  private void allocate(Map<String, Object> event, Map<String, Object> answer) {
    List<ResourceRequest> asks = new ArrayList<ResourceRequest>();
    for (Object ask : list(event, "asks")) {
      asks.add(ask((Map<String, Object>) ask));
    }
    List<ContainerId> releases = new ArrayList<ContainerId>();
    for (Object name : list(event, "release")) {
      releases.add(name instanceof Number
          ? container(java.util.Arrays.asList(event.get("app"), name)) : container(name));
    }
    Attempt attempt = attempt(event);
    Allocation allocation = allocate(attempt, asks, releases,
        Answers.strings(list(event, "blacklist_add")),
        Answers.strings(list(event, "blacklist_remove")));
    List<Object> given = new ArrayList<Object>();
    for (Container container : allocation.getContainers()) {
      given.add(Watch.name(container.getId()));
    }
    if (!given.isEmpty()) {
      answer.put("given", given);
    }
    if (allocation.getStrictContainerPreemptions() != null
        && !allocation.getStrictContainerPreemptions().isEmpty()) {
      List<List<Object>> names = new ArrayList<List<Object>>();
      for (ContainerId id : new java.util.TreeSet<ContainerId>(
          allocation.getStrictContainerPreemptions())) {
        names.add(Watch.name(id));
      }
      answer.put("to_be_preempted", names);
    }
    answer.put("headroom", Answers.resource((org.apache.hadoop.yarn.api.records.Resource)
        Reflect.call(allocation, "getResourceLimit")));
  }

  @SuppressWarnings("unchecked")
  private static ResourceRequest ask(Map<String, Object> ask) {
    ResourceRequest request = ResourceRequest.newInstance(
        Priority.newInstance((int) number(ask, "priority", 1)),
        ask.containsKey("where") ? (String) ask.get("where") : ResourceRequest.ANY,
        World.resource((Map<String, Object>) ask.get("size")), (int) number(ask, "count", 1),
        !Boolean.FALSE.equals(ask.get("relax")));
    if (ask.containsKey("request_id")) { // 2.9 and newer
      Reflect.call(request, "setAllocationRequestId", number(ask, "request_id", 0));
    }
    return request;
  }

  private static Method allocateMethod() {
    for (Method method : org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair
        .FairScheduler.class.getDeclaredMethods()) {
      if (method.getName().equals("allocate") && !method.isBridge()) {
        method.setAccessible(true);
        return method;
      }
    }
    throw new Reflect.NoSuchMemberException("allocate");
  }

  /** FairScheduler.allocate; from line to line it has more arguments, which stay empty here. */
  private Allocation allocate(Attempt attempt, List<ResourceRequest> asks,
      List<ContainerId> releases, List<String> blacklist, List<String> unblacklist) {
    Class<?>[] types = ALLOCATE.getParameterTypes();
    List<Object> args = new ArrayList<Object>();
    args.add(attempt.id);
    args.add(asks);
    boolean updates = types[types.length - 1].getSimpleName().equals("ContainerUpdates");
    if (types.length == 7 && updates) {
      args.add(new ArrayList<Object>()); // scheduling requests, 3.1 and newer
    }
    args.add(releases);
    args.add(blacklist);
    args.add(unblacklist);
    while (args.size() < types.length) {
      args.add(updates ? Reflect.create(types[types.length - 1]) : new ArrayList<Object>());
    }
    return (Allocation) Reflect.invoke(ALLOCATE, world.scheduler, args.toArray());
  }

  private static List<?> list(Map<String, Object> map, String key) {
    return map.get(key) == null ? Collections.emptyList() : (List<?>) map.get(key);
  }

  // --- the ResourceManager's part --------------------------------------------------------------

  /** Delivers what the scheduler and the containers sent, until nothing is left. */
  private void deliver() {
    while (!world.events.isEmpty()) {
      Event<?> event = world.events.remove(0);
      if (event instanceof SchedulerEvent) {
        world.scheduler.handle((SchedulerEvent) event);
      } else if (event.getType().toString().equals("CONTAINER_ALLOCATED")) {
        takeAm(attempts.get(Reflect.call(event, "getApplicationAttemptId")));
      }
    }
  }

  private void takeAm(Attempt attempt) {
    if (attempt == null || !attempt.managed || attempt.master != null) {
      return;
    }
    List<Container> containers = allocate(attempt, new ArrayList<ResourceRequest>(),
        new ArrayList<ContainerId>(), new ArrayList<String>(), new ArrayList<String>())
        .getContainers();
    if (!containers.isEmpty()) {
      attempt.master = containers.get(0);
      Reflect.call(world.scheduler.getRMContainer(attempt.master.getId()), "setAMContainer", true);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> size(Map<String, Object> event) {
    return (Map<String, Object>) event.get("size");
  }
}
