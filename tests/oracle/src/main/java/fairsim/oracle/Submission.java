package fairsim.oracle;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.RMAppManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;

/**
 * Submits apps as a ResourceManager does, up to the scheduler's yes or no.
 *
 * <p>The way is Hadoop's own: RMAppManager makes the app (placement from 3.3 on, the check of the
 * AM's size, the first ACL check), a real RMAppImpl steps to the event for the scheduler, and the
 * scheduler handles that. Only what lies between is done here: the client service's "default" for
 * an absent queue, and the state store's answer that the app was stored.
 */
final class Submission {
  private final World world;
  private final RMAppManager manager;
  private final Method create;

  Submission(World world) {
    this.world = world;
    manager = (RMAppManager) Reflect.create(RMAppManager.class, world.context, world.scheduler,
        null, new ApplicationACLsManager(world.conf), world.conf);
    create = creator();
  }

  private static Method creator() {
    for (Method method : RMAppManager.class.getDeclaredMethods()) {
      if (method.getName().equals("createAndPopulateNewRMApp")) {
        method.setAccessible(true);
        return method;
      }
    }
    throw new Reflect.NoSuchMemberException("createAndPopulateNewRMApp");
  }

  /** Submits one app and tells what became of it; the app stays in the scheduler if it was let in. */
  Map<String, Object> submit(Map<String, Object> app, ApplicationId id) {
    String user = (String) app.get("user");
    Groups.set(world, user, groups(app));
    ApplicationSubmissionContext context = context(id, app);
    Map<String, Object> answer = new LinkedHashMap<String, Object>();
    world.events.clear();
    try {
      invoke(context, user);
    } catch (Exception t) {
      answer.put("outcome", "exception");
      answer.put("step", step(t));
      answer.put("submitted", context.getQueue());
      putMessage(answer, t);
      return answer;
    }
    RMAppImpl made = (RMAppImpl) world.context.getRMApps().get(id);
    made.handle(new RMAppEvent(id, RMAppEventType.START));
    made.handle(new RMAppEvent(id, RMAppEventType.APP_NEW_SAVED));
    AppAddedSchedulerEvent added = taken();
    answer.put("submitted", added.getQueue());
    if (Reflect.has(added, "getPlacementContext")) {
      answer.put("placement", placement(Reflect.call(added, "getPlacementContext")));
    }
    try {
      world.scheduler.handle(added);
    } catch (Exception t) { // leaves the dispatcher's thread, and the ResourceManager exits
      answer.put("outcome", "fatal");
      answer.put("step", "scheduler");
      putMessage(answer, t);
      return answer;
    }
    verdict(id, made, answer);
    return answer;
  }

  private static List<?> groups(Map<String, Object> app) {
    return app.containsKey("groups") ? (List<?>) app.get("groups") : Collections.emptyList();
  }

  private void invoke(ApplicationSubmissionContext context, String user) {
    Class<?>[] types = create.getParameterTypes();
    Object[] args = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      if (types[i] == ApplicationSubmissionContext.class) {
        args[i] = context;
      } else if (types[i] == String.class) {
        args[i] = user;
      } else if (types[i] == UserGroupInformation.class) {
        args[i] = UserGroupInformation.createRemoteUser(user);
      } else if (types[i] == boolean.class) {
        args[i] = false; // not a recovery
      } else if (types[i] == long.class) {
        args[i] = world.clock.now;
      }
    }
    Reflect.invoke(create, manager, args);
  }

  private ApplicationSubmissionContext context(ApplicationId id, Map<String, Object> app) {
    Object queue = app.get("queue");
    ContainerLaunchContext launch = ContainerLaunchContext.newInstance(
        Collections.<String, LocalResource>emptyMap(), Collections.<String, String>emptyMap(),
        Collections.<String>emptyList(), Collections.<String, ByteBuffer>emptyMap(), null,
        Collections.<ApplicationAccessType, String>emptyMap());
    ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(id,
        app.containsKey("name") ? (String) app.get("name") : "app",
        queue == null ? "default" : (String) queue, Priority.newInstance(0), launch,
        Boolean.TRUE.equals(app.get("unmanaged")), true, 1, World.resource(am(app)), "YARN");
    if (app.get("tags") != null) {
      context.setApplicationTags(
          new LinkedHashSet<String>(Answers.strings((List<?>) app.get("tags"))));
    }
    return context;
  }

  /** The size of the AM; 1024 MB and 1 vcore if the case does not say. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> am(Map<String, Object> app) {
    if (app.get("am") != null) {
      return (Map<String, Object>) app.get("am");
    }
    Map<String, Object> size = new LinkedHashMap<String, Object>();
    size.put("memory-mb", 1024L);
    size.put("vcores", 1L);
    return size;
  }

  private AppAddedSchedulerEvent taken() {
    for (Event<?> event : world.events) {
      if (event instanceof AppAddedSchedulerEvent) {
        world.events.remove(event);
        return (AppAddedSchedulerEvent) event;
      }
    }
    throw new IllegalStateException("the app never came to the scheduler");
  }

  private void verdict(ApplicationId id, RMApp app, Map<String, Object> answer) {
    for (Event<?> event : world.events) {
      if (event instanceof RMAppEvent && event.getType() == RMAppEventType.APP_REJECTED) {
        answer.put("outcome", "rejected");
        answer.put("step", "scheduler");
        answer.put("message", message((RMAppEvent) event));
        return;
      } else if (event instanceof RMAppEvent && event.getType() == RMAppEventType.APP_ACCEPTED) {
        answer.put("outcome", "accepted");
        answer.put("queue", queueOf(world, id));
        answer.put("app_queue", app.getQueue()); // the name that reports show
        return;
      }
    }
    answer.put("outcome", "lost"); // neither yes nor no: the app would wait for ever
  }

  private static String message(RMAppEvent event) {
    return (String) (Reflect.has(event, "getDiagnosticMsg")
        ? Reflect.call(event, "getDiagnosticMsg") : Reflect.call(event, "getMessage")); // 2.6
  }

  /** The queue that the scheduler keeps the app in. */
  static String queueOf(World world, ApplicationId id) {
    Object app = ((Map<?, ?>) Reflect.call(world.scheduler, "getSchedulerApplications")).get(id);
    Object queue = app == null ? null : Reflect.call(app, "getQueue");
    return queue == null ? null : (String) Reflect.call(queue, "getQueueName");
  }

  /** Takes an app out again; nothing is left but queues that were made for it. */
  void forget(ApplicationId id) {
    if (queueOf(world, id) != null) {
      world.scheduler.handle(new AppRemovedSchedulerEvent(id, RMAppState.FINISHED));
    }
    world.context.getRMApps().remove(id);
  }

  private static Map<String, Object> placement(Object context) {
    if (context == null) {
      return null;
    }
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("queue", Reflect.call(context, "getQueue"));
    map.put("parent", Reflect.call(context, "getParentQueue"));
    return map;
  }

  /** Which part of RMAppManager's work threw. */
  private static String step(Throwable thrown) {
    List<String> methods = new ArrayList<String>();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      for (StackTraceElement frame : t.getStackTrace()) {
        if (frame.getClassName().equals(RMAppManager.class.getName())) {
          methods.add(frame.getMethodName());
        }
      }
    }
    if (methods.contains("placeApplication") || methods.contains("getUserNameForPlacement")) {
      return "placement";
    } else if (methods.contains("validateAndCreateResourceRequest")) {
      return "am_size";
    }
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t.getClass().getSimpleName().equals("AccessControlException")) {
        return "acl";
      }
    }
    return "other";
  }

  private static void putMessage(Map<String, Object> answer, Throwable t) {
    answer.put("class", t.getClass().getName());
    answer.put("message", t.getMessage());
    if (t.getCause() != null) {
      answer.put("chain", Answers.chain(t));
    }
  }
}
