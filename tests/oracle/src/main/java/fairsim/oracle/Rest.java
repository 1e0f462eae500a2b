package fairsim.oracle;

import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ahs.RMApplicationHistoryWriter;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.ContainerAllocationExpirer;
import org.apache.hadoop.yarn.server.resourcemanager.security.NMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.RMContainerTokenSecretManager;

/**
 * The rest of the ResourceManager, as far as apps and containers ask for it: real parts, not
 * started.
 */
final class Rest {
  private static final String RM = "org.apache.hadoop.yarn.server.resourcemanager.";
  // One each per JVM: every one of them starts a timer thread.
  private static RMContainerTokenSecretManager containerTokens;
  private static NMTokenSecretManagerInRM nodeTokens;

  private Rest() {
  }

  static void put(World world) {
    RMContext context = world.context;
    if (containerTokens == null) {
      containerTokens = new RMContainerTokenSecretManager(world.conf);
      containerTokens.rollMasterKey();
      nodeTokens = new NMTokenSecretManagerInRM(world.conf);
      nodeTokens.rollMasterKey();
    }
    Reflect.call(context, "setContainerTokenSecretManager", containerTokens);
    Reflect.call(context, "setNMTokenSecretManager", nodeTokens);
    Reflect.call(context, "setContainerAllocationExpirer",
        new ContainerAllocationExpirer(context.getDispatcher()));
    Reflect.call(context, "setRMApplicationHistoryWriter", new RMApplicationHistoryWriter());
    Reflect.call(context, "setSystemMetricsPublisher", publisher());
    Reflect.call(context, "setStateStore", new Store());
    RMNodeLabelsManager labels = new RMNodeLabelsManager(); // a resized node is told to it
    labels.init(world.conf);
    Reflect.call(context, "setNodeLabelManager", labels);
    with(context, "setAllocationTagsManager", "scheduler.constraint.AllocationTagsManager");
    if (Reflect.has(context, "getQueuePlacementManager")
        && Reflect.call(context, "getQueuePlacementManager") == null) {
      Reflect.call(context, "setQueuePlacementManager",
          Reflect.create(Reflect.type(RM + "placement.PlacementManager")));
    }
  }

  private static Object publisher() {
    try {
      return Reflect.create(Reflect.type(RM + "metrics.NoOpSystemMetricPublisher"));
    } catch (Reflect.NoSuchMemberException e) { // up to 2.8
      return Reflect.create(Reflect.type(RM + "metrics.SystemMetricsPublisher"));
    }
  }

  private static void with(RMContext context, String setter, String type) {
    try {
      Reflect.call(context, setter, Reflect.create(Reflect.type(RM + type), context));
    } catch (Reflect.NoSuchMemberException e) {
      // this line has no such part
    }
  }
}
