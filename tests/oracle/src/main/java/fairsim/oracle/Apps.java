package fairsim.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;

/**
 * Applications put straight into leaf queues.
 *
 * <p>The way through the scheduler's events would also check ACLs and placement, which a question
 * about shares does not want; what is left out here is only that. Whether an app is runnable is
 * asked from the scheduler's own enforcer, in the order in which the case lists the apps.
 */
final class Apps {
  private final World world;
  private final Map<String, List<Object[]>> added = new LinkedHashMap<String, List<Object[]>>();
  private int count;

  Apps(World world) {
    this.world = world;
  }

  /**
   * Adds one app: "user", "start" (the clock at arrival), and either "demand" (a resource) with
   * "containers", or "demand_mb" and "demand_vcores" for one container.
   */
  void add(FSLeafQueue leaf, Map<String, Object> app) {
    count++;
    world.clock.now = app.containsKey("start")
        ? ((Number) app.get("start")).longValue() : world.clock.now + 1;
    String user = app.containsKey("user") ? (String) app.get("user") : "user";
    ApplicationAttemptId id =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1L, count), 1);
    FSAppAttempt attempt = (FSAppAttempt) Reflect.create(FSAppAttempt.class, world.scheduler, id,
        user, leaf, Reflect.callIfThere(leaf, "getAbstractUsersManager") != null
            ? Reflect.call(leaf, "getAbstractUsersManager")
            : Reflect.call(leaf, "getActiveUsersManager"), world.context);
    Object enforcer = Reflect.get(world.scheduler, "maxRunningEnforcer");
    boolean runnable = (Boolean) (Reflect.has(enforcer, "canAppBeRunnable", leaf, attempt)
        ? Reflect.call(enforcer, "canAppBeRunnable", leaf, attempt)
        : Reflect.call(enforcer, "canAppBeRunnable", leaf, user));
    Reflect.call(leaf, "addApp", attempt, runnable);
    Reflect.call(enforcer, runnable ? "trackRunnableApp" : "trackNonRunnableApp", attempt);
    ask(attempt, app);
    List<Object[]> here = added.get(leaf.getName());
    if (here == null) {
      here = new ArrayList<Object[]>();
      added.put(leaf.getName(), here);
    }
    here.add(new Object[] {attempt, runnable});
  }

  @SuppressWarnings("unchecked")
  private void ask(FSAppAttempt attempt, Map<String, Object> app) {
    Map<String, Object> size = (Map<String, Object>) app.get("demand");
    if (size == null) {
      size = new LinkedHashMap<String, Object>();
      size.put("memory-mb", app.containsKey("demand_mb") ? app.get("demand_mb") : 0L);
      size.put("vcores", app.containsKey("demand_vcores") ? app.get("demand_vcores") : 0L);
    }
    int containers = app.containsKey("containers")
        ? ((Number) app.get("containers")).intValue() : 1;
    // Past the normalisation of requests: a share depends on the demand as it is.
    Reflect.call(attempt, "updateResourceRequests", Collections.singletonList(
        ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY,
            World.resource(size), containers)));
  }

  /** Queue name to its apps in the order given. */
  Map<String, Object> answer() {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    for (Map.Entry<String, List<Object[]>> entry : added.entrySet()) {
      List<Object> list = new ArrayList<Object>();
      for (Object[] pair : entry.getValue()) {
        FSAppAttempt attempt = (FSAppAttempt) pair[0];
        Map<String, Object> app = new LinkedHashMap<String, Object>();
        app.put("runnable", pair[1]);
        app.put("fair", Answers.resource(attempt.getFairShare()));
        app.put("demand", Answers.resource(attempt.getDemand()));
        list.add(app);
      }
      map.put(entry.getKey(), list);
    }
    return map;
  }
}
