package fairsim.oracle;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.Clock;

/**
 * One real FairScheduler with its ResourceManager context, for one case.
 *
 * <p>The scheduler is initialised but never started, so no thread of Hadoop's runs and nothing
 * happens unless the case asks for it. close() forgets what Hadoop keeps in static variables.
 */
final class World implements Closeable {
  private static final String ALLOCATION_FILE = "yarn.scheduler.fair.allocation.file";
  private static Configuration defaults;

  final Configuration conf;
  final RMContext context;
  final FairScheduler scheduler;
  final StepClock clock = new StepClock();
  /** What the scheduler sent to the rest of the ResourceManager. */
  final List<Event> events = new ArrayList<Event>();
  Watcher watcher;
  private final File folder;

  /** A clock that moves only when told. */
  static final class StepClock implements Clock {
    long now = 1000000L;

    @Override
    public long getTime() {
      return now;
    }
  }

  /**
   * Prepares everything up to the point where the scheduler reads the allocation file.
   *
   * @param folder where the allocation file is written
   * @param site properties of yarn-site.xml
   * @param types the custom resource types: name to {"units", "minimum-allocation", ...}
   */
  World(File folder, Map<String, Object> site, Map<String, Object> types) {
    this.folder = folder;
    conf = configuration(site, types);
    // Before anything touches a Resource: Hadoop fixes the number of types at first use.
    if (hasResourceTypes()) {
      Reflect.callStatic(Reflect.type("org.apache.hadoop.yarn.util.resource.ResourceUtils"),
          "resetResourceTypes", conf);
    }
    scheduler = new FairScheduler();
    context = new RMContextImpl();
    if (Reflect.get(context, "activeServiceContext") == null) { // up to 2.8
      Reflect.call(context, "setActiveServiceContext", Reflect.create(Reflect.type(
          "org.apache.hadoop.yarn.server.resourcemanager.RMActiveServiceContext")));
    }
    Reflect.call(context, "setDispatcher", new Listener());
    Reflect.callIfThere(context, "setYarnConfiguration", conf);
    Reflect.callIfThere(context, "setScheduler", scheduler);
    scheduler.setRMContext(context);
    if (Reflect.has(scheduler, "setClock", clock)) {
      Reflect.call(scheduler, "setClock", clock);
    } else {
      Reflect.set(scheduler, "clock", clock);
    }
  }

  static boolean hasResourceTypes() {
    try {
      return Reflect.hasPublic(Reflect.type("org.apache.hadoop.yarn.util.resource.ResourceUtils"),
          "resetResourceTypes", Configuration.class);
    } catch (Reflect.NoSuchMemberException e) {
      return false; // 2.9 and older know memory and vcores only
    }
  }

  private Configuration configuration(Map<String, Object> site, Map<String, Object> types) {
    if (defaults == null) {
      defaults = new YarnConfiguration(); // reading Hadoop's *-default.xml is the slow part
      defaults.size();
    }
    Configuration made = new YarnConfiguration(defaults);
    made.set(ALLOCATION_FILE, allocationFile().getPath());
    // Otherwise a forgotten timer thread lives on for ten minutes after every case.
    made.set("yarn.nm.liveness-monitor.expiry-interval-ms", "1");
    // Otherwise node labels are kept in /tmp, and stay there.
    made.set("yarn.node-labels.fs-store.root-dir", new File(folder, "node-labels").toURI().toString());
    made.set("yarn.node-attribute.fs-store.root-dir", new File(folder, "node-attributes").toURI().toString());
    made.set("hadoop.tmp.dir", folder.getPath());
    // No `id` process per user: groups come from the case, see Groups.
    made.set("hadoop.security.group.mapping", Groups.class.getName());
    // For its first ten seconds, by the clock on the wall, a ResourceManager does not look at the
    // largest node when it limits requests. A case must not depend on the age of the JVM.
    made.set("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "-1");
    if (!types.isEmpty()) {
      StringBuilder names = new StringBuilder();
      for (Map.Entry<String, Object> type : types.entrySet()) {
        names.append(names.length() == 0 ? "" : ",").append(type.getKey());
        if (type.getValue() instanceof Map) {
          for (Map.Entry<?, ?> entry : ((Map<?, ?>) type.getValue()).entrySet()) {
            made.set("yarn.resource-types." + type.getKey() + "." + entry.getKey(),
                String.valueOf(entry.getValue()));
          }
        }
      }
      made.set("yarn.resource-types", names.toString());
    }
    for (Map.Entry<String, Object> entry : site.entrySet()) {
      made.set(entry.getKey(), String.valueOf(entry.getValue()));
    }
    return made;
  }

  File allocationFile() {
    return new File(folder, "fair-scheduler.xml");
  }

  /** Writes the bytes as the allocation file; null means that there is none. */
  void writeAllocations(byte[] bytes) throws IOException {
    if (bytes == null) {
      Files.deleteIfExists(allocationFile().toPath());
    } else {
      Files.write(allocationFile().toPath(), bytes);
    }
  }

  /** What a starting ResourceManager does: reads the file, builds the queues. */
  void init() {
    if (!allocationFile().exists()
        && conf.get(ALLOCATION_FILE).equals(allocationFile().getPath())) {
      // An absent absolute path is an error; an absent resource name is "no file".
      conf.set(ALLOCATION_FILE, "no-such-fair-scheduler.xml");
    }
    scheduler.init(conf);
  }

  /** What the reload thread does, without its waiting; throws what that thread would log. */
  void reload() {
    Reflect.call(Reflect.get(scheduler, "allocsLoader"), "reloadAllocations");
  }

  FSQueue root() {
    return scheduler.getQueueManager().getRootQueue();
  }

  /** Registers a node of the given size, as its first heartbeat would. */
  void addNode(int number, Map<String, Object> size) {
    addNode(new Node("h" + number, 1, "/default-rack", resource(size), context));
  }

  void addNode(Node node) {
    context.getRMNodes().put(node.id, node.proxy);
    scheduler.handle(new NodeAddedSchedulerEvent(node.proxy));
  }

  /** A resource of the given values; types not named are 0. */
  static Resource resource(Map<String, Object> size) {
    Resource resource = Resource.newInstance(0, 0);
    for (Map.Entry<String, Object> entry : size.entrySet()) {
      long value = ((Number) entry.getValue()).longValue();
      if (entry.getKey().equals("memory-mb")) {
        if (Reflect.has(resource, "setMemorySize", value)) {
          Reflect.call(resource, "setMemorySize", value);
        } else {
          Reflect.call(resource, "setMemory", Math.toIntExact(value));
        }
      } else if (entry.getKey().equals("vcores")) {
        resource.setVirtualCores(Math.toIntExact(value));
      } else {
        Reflect.call(resource, "setResourceValue", entry.getKey(), value);
      }
    }
    return resource;
  }

  /** Is told of an event at the moment it is sent. */
  interface Watcher {
    void saw(Event<?> event);
  }

  /** Receives in place of the rest of the ResourceManager; keeps, does nothing. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private final class Listener implements Dispatcher {
    @Override
    public EventHandler getEventHandler() {
      return new EventHandler() {
        @Override
        public void handle(Event event) {
          events.add(event);
          if (watcher != null) {
            watcher.saw(event);
          }
        }
      };
    }

    @Override
    public void register(Class type, EventHandler handler) {
    }
  }

  @Override
  public void close() {
    Preemption.forget(this);
    try {
      scheduler.stop();
    } catch (RuntimeException e) {
      // A scheduler whose init failed half way may not stop cleanly; it is thrown away anyhow.
    }
    forgetStatics();
  }

  static void forgetStatics() {
    QueueMetrics.clearQueueMetrics();
    DefaultMetricsSystem.shutdown();
    DefaultMetricsSystem.setInstance(new MetricsSystemImpl());
    try {
      Class<?> provider = Reflect.type("org.apache.hadoop.yarn.security.YarnAuthorizationProvider");
      if (Reflect.hasField(provider, "authorizer")) {
        Reflect.setStatic(provider, "authorizer", null);
      }
    } catch (Reflect.NoSuchMemberException e) {
      // 2.6 has no such class
    }
  }
}
