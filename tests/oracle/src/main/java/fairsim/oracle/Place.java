package fairsim.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSParentQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.QueueManager;

/** Mode place: submissions and ACL questions put to one loaded scheduler. */
final class Place {
  private final World world;
  private final QueueManager queues;

  Place(World world) {
    this.world = world;
    queues = world.scheduler.getQueueManager();
  }

  /**
   * Answers "submissions". Unless "stateful", each one finds the queues as they were before the
   * first: the queues that it made are taken away again.
   */
  List<Object> submissions(List<Map<String, Object>> submissions, boolean stateful) {
    Submission way = new Submission(world);
    List<Object> answers = new ArrayList<Object>();
    for (Map<String, Object> submission : submissions) {
      Map<String, FSQueue> before = all();
      ApplicationId id = ApplicationId.newInstance(1L, answers.size() + 1);
      Map<String, Object> answer = way.submit(submission, id);
      List<FSQueue> made = new ArrayList<FSQueue>();
      for (Map.Entry<String, FSQueue> entry : all().entrySet()) {
        if (before.get(entry.getKey()) != entry.getValue()) {
          made.add(entry.getValue());
        }
      }
      if (!made.isEmpty()) {
        answer.put("created", described(made));
      }
      if (!stateful) {
        way.forget(id);
        remove(made);
      }
      answers.add(answer);
    }
    return answers;
  }

  /** By name, so parents come before their children. */
  private Map<String, FSQueue> all() {
    Map<String, FSQueue> all = new TreeMap<String, FSQueue>();
    for (FSQueue queue : queues.getQueues()) {
      all.put(queue.getName(), queue);
    }
    return all;
  }

  private static List<Object> described(List<FSQueue> made) {
    List<Object> list = new ArrayList<Object>();
    for (FSQueue queue : made) {
      Map<String, Object> map = new LinkedHashMap<String, Object>();
      map.put("name", queue.getName());
      map.put("leaf", queue instanceof FSLeafQueue);
      list.add(map);
    }
    return list;
  }

  private void remove(List<FSQueue> made) {
    for (int i = made.size() - 1; i >= 0; i--) {
      FSQueue queue = made.get(i);
      FSParentQueue parent = queue.getParent();
      ((Collection<?>) Reflect.get(parent, "childQueues")).remove(queue);
      ((Map<?, ?>) Reflect.get(queues, "queues")).remove(queue.getName());
      ((Collection<?>) Reflect.get(queues, "leafQueues")).remove(queue);
    }
  }

  /** Answers "acl": may the user do "submit" or "administer" in the queue? */
  List<Object> acls(List<Map<String, Object>> questions) {
    List<Object> answers = new ArrayList<Object>();
    for (Map<String, Object> question : questions) {
      String user = (String) question.get("user");
      Groups.set(world, user, question.containsKey("groups")
          ? (List<?>) question.get("groups") : Collections.emptyList());
      QueueACL op = "administer".equals(question.get("op")) ? QueueACL.ADMINISTER_QUEUE
          : QueueACL.SUBMIT_APPLICATIONS;
      try {
        answers.add(world.scheduler.checkAccess(UserGroupInformation.createRemoteUser(user), op,
            (String) question.get("queue")));
      } catch (RuntimeException e) {
        answers.add(Answers.error(e));
      }
    }
    return answers;
  }
}
