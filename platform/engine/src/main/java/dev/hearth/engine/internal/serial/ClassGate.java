package dev.hearth.engine.internal.serial;

import java.io.ObjectInputFilter;
import java.util.List;
import java.util.Set;

/**
 * Says which classes may come out of bytes: the application's own, our application interface, and a list of the JDK's.
 * <p>Bounds depth, references and array length as well, so that a small message cannot become a large graph.
 */
final class ClassGate implements ObjectInputFilter {
    private static final long DEPTH_MAX = 1_000;
    private static final long REFERENCES_MAX = 1L << 31;
    private static final long ARRAY_LENGTH_MAX = 1L << 30;
    private static final String API = "dev.hearth.api.";
    private static final List<String> PACKAGES = List.of("java.time.", "java.math.", "java.util.concurrent.atomic.");
    private static final Set<String> JAVA_LANG = Set.of(
            "Boolean",
            "Byte",
            "Character",
            "Class",
            "Double",
            "Enum",
            "Float",
            "Integer",
            "Long",
            "Number",
            "Object",
            "Record",
            "Short",
            "StackTraceElement",
            "String",
            "StringBuilder",
            "StringBuffer",
            "Void");

    private final ClassLoader application;

    ClassGate(ClassLoader application) {
        this.application = application;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > DEPTH_MAX || info.references() > REFERENCES_MAX || info.arrayLength() > ARRAY_LENGTH_MAX) {
            return Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return type.isPrimitive() || admits(type) ? Status.ALLOWED : Status.REJECTED;
    }

    private boolean admits(Class<?> type) {
        for (ClassLoader loader = type.getClassLoader(); loader != null; loader = loader.getParent()) {
            if (loader == application) {
                return true;
            }
        }
        String name = type.getName();
        return name.startsWith(API) || (type.getClassLoader() == null && admitsJdk(type, name));
    }

    private static boolean admitsJdk(Class<?> type, String name) {
        if (name.startsWith("java.lang.")) {
            return JAVA_LANG.contains(name.substring("java.lang.".length()))
                    || name.equals("java.lang.invoke.SerializedLambda")
                    || Throwable.class.isAssignableFrom(type);
        }
        boolean collection = name.startsWith("java.util.") && name.indexOf('.', "java.util.".length()) < 0;
        boolean concurrent = name.startsWith("java.util.concurrent.Concurrent")
                || name.startsWith("java.util.concurrent.CopyOnWrite");
        return Enum.class.isAssignableFrom(type)
                || collection
                || concurrent
                || PACKAGES.stream().anyMatch(name::startsWith)
                || name.equals("java.net.URI")
                || name.equals("java.net.InetAddress");
    }
}
