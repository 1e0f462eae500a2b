package fairsim.oracle;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;

/** One attempt of an app: what the scheduler asks the ResourceManager about it. */
final class Attempt implements InvocationHandler {
  final ApplicationAttemptId id;
  final boolean managed;
  /** Null until the ResourceManager has taken the AM's container. */
  Container master;
  boolean runnable;
  private final World world;
  private final RMAppImpl app;
  private final RMAppAttemptMetrics metrics;

  @SuppressWarnings("unchecked")
  Attempt(World world, RMAppImpl app, int number) {
    this.world = world;
    this.app = app;
    id = ApplicationAttemptId.newInstance(app.getApplicationId(), number);
    managed = !app.getApplicationSubmissionContext().getUnmanagedAM();
    metrics = new RMAppAttemptMetrics(id, world.context);
    RMAppAttempt proxy = (RMAppAttempt) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {RMAppAttempt.class}, this);
    Reflect.set(app, "currentAttempt", proxy);
    ((Map<ApplicationAttemptId, RMAppAttempt>) Reflect.get(app, "attempts")).put(id, proxy);
  }

  /** The scheduler's own object; null once the attempt was removed. */
  FSAppAttempt inScheduler() {
    return world.scheduler.getSchedulerApp(id);
  }

  @Override
  public Object invoke(Object self, Method method, Object[] args) {
    switch (method.getName()) {
      case "getAppAttemptId": return id;
      case "getMasterContainer": return master;
      case "getRMAppAttemptMetrics": return metrics;
      case "getSubmissionContext": return app.getApplicationSubmissionContext();
      case "getAppAttemptState":
      case "getState": return RMAppAttemptState.RUNNING;
      case "equals": return self == args[0];
      case "hashCode": return id.hashCode();
      case "toString": return id.toString();
      default: return Node.nothing(method.getReturnType());
    }
  }
}
