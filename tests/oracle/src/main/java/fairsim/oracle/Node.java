package fairsim.oracle;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.UpdatedContainerInfo;

/** A node as the scheduler sees it. RMNode grows methods in every line; it asks these few. */
final class Node implements InvocationHandler {
  final NodeId id;
  final RMNode proxy;
  Resource size;
  private final String rack;
  private final RMContext context;
  private List<Object> reports = new ArrayList<Object>();

  Node(String host, int port, String rack, Resource size, RMContext context) {
    id = NodeId.newInstance(host, port);
    this.rack = rack;
    this.size = size;
    this.context = context;
    proxy = (RMNode) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {RMNode.class}, this);
  }

  /** What the next heartbeat tells of its containers. */
  void report(List<ContainerStatus> running, List<ContainerStatus> completed) {
    Object report;
    try {
      report = Reflect.create(UpdatedContainerInfo.class, running, completed);
    } catch (Reflect.NoSuchMemberException e) { // 3.2 and newer
      report = Reflect.create(UpdatedContainerInfo.class, running, completed,
          new ArrayList<Object>());
    }
    reports.add(report);
  }

  @Override
  public Object invoke(Object self, Method method, Object[] args) {
    switch (method.getName()) {
      case "getNodeID": return id;
      case "getHostName":
      case "getNodeAddress": return id.getHost();
      case "getHttpAddress": return id.getHost() + ":2";
      case "getCommandPort": return id.getPort();
      case "getHttpPort": return 2;
      case "getRackName": return rack;
      case "getState": return NodeState.RUNNING;
      case "getTotalCapability":
      case "getPhysicalResource": return size;
      case "getRMContext": return context;
      case "pullContainerUpdates":
        List<Object> pulled = reports;
        reports = new ArrayList<Object>();
        return pulled;
      case "equals": return self == args[0];
      case "hashCode": return id.hashCode();
      case "toString": return id.toString();
      default: return nothing(method.getReturnType());
    }
  }

  /** The answer of a method that nobody's decision depends on. */
  static Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 0;
    } else if (type == long.class) {
      return 0L;
    } else if (type == float.class) {
      return 0f;
    } else if (type == java.util.Set.class) {
      return Collections.emptySet();
    } else if (type == List.class) {
      return Collections.emptyList();
    } else if (type == Map.class) {
      return Collections.emptyMap();
    }
    return null;
  }
}
