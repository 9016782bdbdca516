package dev.hearth.engine.internal.closure;

import java.io.ObjectInputFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filter of the classes that may be deserialised: the application's own classes, those of packages that bundles lend it
 * on its request, the Hearth API, and a list of JDK classes.
 * <p>The filter also limits depth, references and array lengths, so that a small message cannot expand into a large
 * object graph.
 */
final class DeserializationFilter implements ObjectInputFilter {
    private static final long DEPTH_MAX = 1_000;
    private static final long REFERENCES_MAX = 1L << 31;
    private static final long ARRAY_LENGTH_MAX = 1L << 30;
    private static final String API = "dev.hearth.api.";
    private static final List<String> PACKAGES =
            List.of("java.time.", "java.math.", "java.util.concurrent.", "java.util.regex.");
    private static final Set<String> SQL_VALUES = Set.of("java.sql.Date", "java.sql.Time", "java.sql.Timestamp");
    private static final Set<String> JAVA_LANG = Set.of(
            "Boolean",
            "Byte",
            "Character",
            "CharSequence", // an interface; arrays may have it as component type
            "Class",
            "Comparable",
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
            "String$CaseInsensitiveComparator",
            "StringBuilder",
            "StringBuffer",
            "Void");

    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private final ClassLoader application;
    private final Map<Class<?>, Boolean> known;
    private long elementsLeft; // array elements that this read may still create
    private String refused =
            "objects nested too deeply, too many objects, or too long an" + " array"; // replaced if a class is rejected
    private boolean refusedClass;

    /**
     * Creates a filter for one deserialisation, without a limit for the total of array elements. {@code known} caches
     * the decisions about classes, for all deserialisations of the application.
     */
    DeserializationFilter(ClassLoader application, Map<Class<?>, Boolean> known) {
        this(application, known, Long.MAX_VALUE);
    }

    /**
     * Creates a filter for one deserialisation. It admits at most {@code elementsMax} array elements in total,
     * including the capacity that collections allocate.
     */
    DeserializationFilter(ClassLoader application, Map<Class<?>, Boolean> known, long elementsMax) {
        this.application = application;
        this.known = known;
        this.elementsLeft = elementsMax;
    }

    /** Whether instances of {@code type}, and arrays of it, may be deserialised. */
    boolean admitsType(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.isPrimitive() || isKnown(element);
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > DEPTH_MAX || info.references() > REFERENCES_MAX || info.arrayLength() > ARRAY_LENGTH_MAX) {
            return Status.REJECTED;
        }
        elementsLeft -= Math.max(0, info.arrayLength());
        if (elementsLeft < 0) {
            return Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        if (admitsType(type)) {
            return Status.ALLOWED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        refused = "class " + type.getName();
        refusedClass = true;
        return Status.REJECTED;
    }

    /**
     * Description of the class that the filter rejected, or of the limits if the read exceeded one of them; for error
     * messages.
     */
    String refused() {
        return refused;
    }

    /**
     * Whether the read failed because of a class that the filter rejected, and not because of a limit. A retry of such
     * a read is useless, because the class is rejected again.
     */
    boolean refusedClass() {
        return refusedClass;
    }

    private boolean isKnown(Class<?> type) {
        Boolean admitted = known.get(type);
        if (admitted == null) {
            admitted = admits(type);
            known.put(type, admitted);
        }
        return admitted;
    }

    private boolean admits(Class<?> type) {
        if (isApplicationOrDescendant(type.getClassLoader(), application)
                || isAncestor(type.getClassLoader(), application)) {
            return true;
        }
        String name = type.getName();
        return name.startsWith(API)
                || SQL_VALUES.contains(name)
                || (type.getClassLoader() == null && admitsJdk(type, name))
                || isLent(type);
    }

    /**
     * Whether the application's class loader takes {@code type} from a bundle. It does so for the packages for which the
     * application has asked. Classes of the JDK and of this process's class path are never lent.
     */
    private boolean isLent(Class<?> type) {
        ClassLoader lender = type.getClassLoader();
        if (lender == null || lender == JDK || lender == ClassLoader.getSystemClassLoader()) {
            return false;
        }
        try {
            return Class.forName(type.getName(), false, application) == type;
        } catch (ClassNotFoundException | LinkageError hidden) {
            return false;
        }
    }

    /** Whether {@code loader} is the application's class loader or a descendant of it. */
    private static boolean isApplicationOrDescendant(@Nullable ClassLoader loader, ClassLoader application) {
        for (ClassLoader at = loader; at != null; at = at.getParent()) {
            if (at == application) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether {@code loader} is an ancestor of the application's class loader. On a plain class path, such a loader can
     * have loaded user classes. Class loaders of the JDK do not count as ancestors.
     */
    private static boolean isAncestor(@Nullable ClassLoader loader, ClassLoader application) {
        for (ClassLoader at = application; at != null && at != JDK; at = at.getParent()) {
            if (at == loader) {
                return true;
            }
        }
        return false;
    }

    private static boolean admitsJdk(Class<?> type, String name) {
        if (name.startsWith("java.lang.")) {
            return JAVA_LANG.contains(name.substring("java.lang.".length()))
                    || name.equals("java.lang.invoke.SerializedLambda")
                    || Throwable.class.isAssignableFrom(type);
        }
        boolean collection = name.startsWith("java.util.") && name.indexOf('.', "java.util.".length()) < 0;
        return Enum.class.isAssignableFrom(type)
                || collection
                || PACKAGES.stream().anyMatch(name::startsWith)
                || name.equals("java.io.Serializable")
                || name.equals("java.net.URI")
                || name.equals("java.net.InetAddress");
    }
}
