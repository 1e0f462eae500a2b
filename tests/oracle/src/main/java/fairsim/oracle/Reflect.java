package fairsim.oracle;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Calls by name, for the members that moved, changed type or are private in some Hadoop line.
 *
 * <p>One set of sources serves 2.6 to 3.5 this way; a member that a line lacks is a
 * {@link NoSuchMemberException}, which the callers turn into an absent field of the answer.
 */
final class Reflect {
  private static final Map<String, Object> CACHE = new LinkedHashMap<String, Object>();
  private static final Object ABSENT = new Object();

  private Reflect() {
  }

  static final class NoSuchMemberException extends RuntimeException {
    NoSuchMemberException(String what) {
      super(what);
    }
  }

  static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new NoSuchMemberException("class " + name);
    }
  }

  static boolean has(Object target, String method, Object... args) {
    return find(target.getClass(), method, args) != null;
  }

  static boolean hasPublic(Class<?> type, String method, Class<?>... parameters) {
    try {
      type.getMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  static Object call(Object target, String method, Object... args) {
    return invoke(target.getClass(), target, method, args);
  }

  static Object callStatic(Class<?> type, String method, Object... args) {
    return invoke(type, null, method, args);
  }

  /** Like call, but null when this Hadoop line has no such method. */
  static Object callIfThere(Object target, String method, Object... args) {
    return has(target, method, args) ? call(target, method, args) : null;
  }

  private static Object invoke(Class<?> type, Object target, String name, Object[] args) {
    Method method = find(type, name, args);
    if (method == null) {
      throw new NoSuchMemberException("method " + type.getName() + "." + name);
    }
    return invoke(method, target, args);
  }

  static Object invoke(Method method, Object target, Object... args) {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw sneaky(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static Object create(Class<?> type, Object... args) {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (fits(constructor.getParameterTypes(), args)) {
        constructor.setAccessible(true);
        try {
          return constructor.newInstance(args);
        } catch (InvocationTargetException e) {
          throw sneaky(e.getCause());
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    throw new NoSuchMemberException("constructor of " + type.getName());
  }

  static Object get(Object target, String field) {
    return read(target.getClass(), target, field);
  }

  static Object getStatic(Class<?> type, String field) {
    return read(type, null, field);
  }

  private static Object read(Class<?> type, Object target, String name) {
    try {
      return field(type, name).get(target);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void set(Object target, String field, Object value) {
    try {
      field(target.getClass(), field).set(target, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void setStatic(Class<?> type, String field, Object value) {
    try {
      field(type, field).set(null, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean hasField(Class<?> type, String name) {
    try {
      field(type, name);
      return true;
    } catch (NoSuchMemberException e) {
      return false;
    }
  }

  private static Field field(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Field field = c.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (NoSuchFieldException e) {
        // look in the superclass
      }
    }
    throw new NoSuchMemberException("field " + type.getName() + "." + name);
  }

  private static synchronized Method find(Class<?> type, String name, Object[] args) {
    StringBuilder key = new StringBuilder(type.getName()).append('.').append(name);
    for (Object arg : args) {
      key.append(',').append(arg == null ? "null" : arg.getClass().getName());
    }
    Object known = CACHE.get(key.toString());
    if (known == null) {
      known = search(type, name, args);
      CACHE.put(key.toString(), known == null ? ABSENT : known);
    }
    return known == ABSENT ? null : (Method) known;
  }

  private static Method search(Class<?> type, String name, Object[] args) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        if (method.getName().equals(name) && !method.isBridge()
            && fits(method.getParameterTypes(), args)) {
          method.setAccessible(true);
          return method;
        }
      }
    }
    for (Method method : type.getMethods()) { // default methods of interfaces
      if (method.getName().equals(name) && fits(method.getParameterTypes(), args)) {
        return method;
      }
    }
    return null;
  }

  private static boolean fits(Class<?>[] parameters, Object[] args) {
    if (parameters.length != args.length) {
      return false;
    }
    for (int i = 0; i < args.length; i++) {
      if (args[i] == null ? parameters[i].isPrimitive() : !box(parameters[i]).isInstance(args[i])) {
        return false;
      }
    }
    return true;
  }

  private static Class<?> box(Class<?> c) {
    return c == boolean.class ? Boolean.class
        : c == int.class ? Integer.class
        : c == long.class ? Long.class
        : c == float.class ? Float.class
        : c == double.class ? Double.class
        : c;
  }

  /** Throws any throwable as it is: the answer must name Hadoop's exception, not a wrapper. */
  @SuppressWarnings("unchecked")
  static <T extends Throwable> RuntimeException sneaky(Throwable t) throws T {
    throw (T) t;
  }
}
