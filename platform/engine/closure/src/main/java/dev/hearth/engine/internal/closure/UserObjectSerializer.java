package dev.hearth.engine.internal.closure;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Java serialisation of the objects of one application; classes are found through the application's class loader.
 * Thread-safe.
 */
public final class UserObjectSerializer {
    /**
     * Array elements that deserialisation may create per serialised byte. More than 1, because the array of a hash
     * table is a few times as long as its contents.
     */
    private static final long ELEMENTS_A_BYTE = 8;

    private static final long ELEMENTS_SPARE = 64;

    private final ClassLoader application;
    private final ImmutabilityCheck unchangeable = new ImmutabilityCheck();
    // decisions of the filter by class; referenced only here, so that classes can be unloaded
    private final Map<Class<?>, Boolean> admitted = new ConcurrentHashMap<>();
    private final Map<String, Class<?>> resolved = new ConcurrentHashMap<>();

    public UserObjectSerializer(ClassLoader application) {
        this.application = application;
    }

    /** The check that decides which objects are immutable, so that tasks can share them without copies. */
    public ImmutabilityCheck unchangeable() {
        return unchangeable;
    }

    @Nullable
    LambdaCloner form(Object function, String subject) {
        return LambdaCloner.of(function, this, application, subject);
    }

    /** Serialises an object. {@code subject} is the name of the object in errors. */
    public Bytes write(@Nullable Object object, String subject) {
        return write(object, subject, passed -> {});
    }

    /**
     * Serialises an object as {@link #write(Object, String)} does. Also passes every written object, such as a field's
     * value, to the consumer {@code met}.
     */
    public Bytes write(@Nullable Object object, String subject, Consumer<Object> met) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObservedOutput(bytes, met)) {
            write(object, subject, out);
        } catch (IOException failure) {
            throw unwritable(subject, failure);
        }
        return Bytes.owning(bytes.toByteArray());
    }

    /**
     * Serialises an object as {@link #write(Object, String)} does, but to the stream {@code target}, which stays open.
     */
    public void writeTo(OutputStream target, Object object, String subject) {
        try {
            ObjectOutputStream out = new ObjectOutputStream(target);
            write(object, subject, out);
            out.flush();
        } catch (IOException failure) {
            throw unwritable(subject, failure);
        }
    }

    private static void write(@Nullable Object object, String subject, ObjectOutputStream out) {
        try {
            out.writeObject(object);
        } catch (NotSerializableException failure) {
            throw unserializable(object, subject, failure);
        } catch (StackOverflowError failure) {
            throw ErrorCode.NOT_SERIALIZABLE
                    .failure(
                            where(subject)
                                    + ": nested too deeply to be serialised (expected: chains of at most a few"
                                    + " thousand objects); keep long chains in a list or an array",
                            failure)
                    .permanent();
        } catch (IOException | RuntimeException failure) { // a writeObject method of the user threw
            throw unwritable(subject, failure);
        }
    }

    private static HearthException unwritable(String subject, Throwable failure) {
        return ErrorCode.NOT_SERIALIZABLE.failure(
                where(subject) + ": could not be serialised: " + blame(failure), failure);
    }

    /**
     * The class with this name, which may be an array class, from the application's class loader. Does not check
     * whether its instances may be deserialised.
     */
    public Class<?> find(String name, String subject) {
        try {
            return Class.forName(name, false, application);
        } catch (ClassNotFoundException | LinkageError failure) {
            throw missing(name, subject, failure);
        }
    }

    /**
     * Fails if instances of {@code type} may not be deserialised. {@code subject} names the serialised object in the
     * error.
     */
    public void admit(Class<?> type, String subject) {
        if (!new DeserializationFilter(application, admitted).admitsType(type)) {
            throw ErrorCode.NOT_SERIALIZABLE
                    .failure(refusal(subject, "class " + type.getName()))
                    .permanent();
        }
    }

    /**
     * Deserialises an object; fails if the filter refuses one of the object's classes. {@code subject} names the object
     * in errors.
     */
    public Object read(Bytes bytes, String subject) {
        return read(bytes.stream(), new DeserializationFilter(application, admitted), subject);
    }

    /**
     * Deserialises an object as {@link #read(Bytes, String)} does, but from bytes that may be corrupt. The number of
     * bytes limits the number of array elements, so that corrupt lengths cannot exhaust the heap.
     */
    public Object read(byte[] array, int from, int length, String subject) {
        long elementsMax = ELEMENTS_SPARE + length * ELEMENTS_A_BYTE;
        return read(
                new ByteArrayInputStream(array, from, length),
                new DeserializationFilter(application, admitted, elementsMax),
                subject);
    }

    /**
     * Deserialises an object as {@link #read(byte[], int, int, String)} does, but from a stream of {@code length}
     * bytes.
     */
    public Object read(InputStream bytes, long length, String subject) {
        return read(
                bytes,
                new DeserializationFilter(application, admitted, ELEMENTS_SPARE + length * ELEMENTS_A_BYTE),
                subject);
    }

    private Object read(InputStream bytes, DeserializationFilter gate, String subject) {
        try (ObjectInputStream in = new ApplicationInput(bytes)) {
            in.setObjectInputFilter(gate);
            return in.readObject();
        } catch (InvalidClassException failure) {
            HearthException refused = ErrorCode.NOT_SERIALIZABLE.failure(refusal(subject, gate.refused()), failure);
            throw gate.refusedClass() ? refused.permanent() : refused;
        } catch (ClassNotFoundException failure) {
            throw missing(failure.getMessage(), subject, failure);
        } catch (IOException
                | RuntimeException
                | StackOverflowError failure) { // a readObject method of the user threw, or nesting is deep
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    subject + ": could not be deserialised: " + blame(failure), failure);
        }
    }

    private static String refusal(String subject, String refused) {
        return subject + ": refused by the deserialisation filter: " + refused
                + " (expected: classes of the application, dev.hearth.api, or plain JDK values and collections)";
    }

    private static HearthException missing(@Nullable String name, String subject, Throwable cause) {
        return ErrorCode.CLASS_MISSING.failure(
                subject + ": class " + name
                        + " not found in this process (expected: a class of the application's jars); add its jar"
                        + " with --jars",
                cause);
    }

    /**
     * The error for an {@code object} that cannot be serialised, because it contains an instance of the class
     * {@code culprit}. {@code subject} names the object.
     */
    public static HearthException unserializable(@Nullable Object object, String subject, String culprit) {
        return unserializable(object, subject, new NotSerializableException(culprit));
    }

    /**
     * The error for an object that is not serialisable. Shows the reference path to the instance that prevents
     * serialisation, which is searched only now.
     */
    private static HearthException unserializable(
            @Nullable Object object, String subject, NotSerializableException failure) {
        String culprit = String.valueOf(failure.getMessage());
        Optional<SerializationDebugger.Found> found =
                object == null ? Optional.empty() : SerializationDebugger.find(object, culprit);
        String problem = found.flatMap(UserObjectSerializer::ofDriver)
                .orElseGet(
                        () -> found.map(at -> at.path() + " (" + culprit + ")").orElse("holds a " + culprit + ", which")
                                + " is not serialisable (expected: a java.io.Serializable object, because it is sent to"
                                + " executors); make it Serializable or transient, or create it inside the function");
        return ErrorCode.NOT_SERIALIZABLE
                .failure(where(subject) + ": " + problem, failure)
                .permanent();
    }

    /** The problem with a dataset or context in a function; empty if {@code found} is neither. */
    private static Optional<String> ofDriver(SerializationDebugger.Found found) {
        if (found.object() instanceof Rdd<?>) {
            return Optional.of(
                    found.path() + " is a dataset (expected: none inside a function of another one, which runs"
                            + " on executors); collect or broadcast its elements before, or use join");
        }
        if (found.object() instanceof HearthContext) {
            return Optional.of(
                    found.path() + " is a context (expected: none inside a function, which runs on executors);"
                            + " use the context in the driver alone, and TaskContext.current() in functions");
        }
        return Optional.empty();
    }

    private static String where(String subject) {
        return UserStackFrames.caller().map(line -> subject + " at " + line).orElse(subject);
    }

    /** Describes an exception, with the innermost line of user code in its stack trace, if there is one. */
    public static String blame(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (UserStackFrames.isUsers(frame.getClassName())) {
                return frame.getClassName() + "." + frame.getMethodName() + " threw " + thrown + " at "
                        + frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return thrown.toString();
    }

    /**
     * Whether one instance can serve every task: a lambda or function object without fields carries no state from one
     * task to another. Any other function is deserialised for each attempt.
     */
    public static boolean isStateless(Object function) {
        for (Class<?> type = function.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (var field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Output stream that passes every written object to the consumer {@code met}, which looks for broadcasts and
     * accumulators.
     */
    private static final class ObservedOutput extends ObjectOutputStream {
        private final Consumer<Object> met;

        ObservedOutput(OutputStream out, Consumer<Object> met) throws IOException {
            super(out);
            this.met = met;
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object object) {
            met.accept(object);
            return object;
        }
    }

    /** Input stream for serialised user objects, which resolves classes only through the application's class loader. */
    private final class ApplicationInput extends ObjectInputStream {
        ApplicationInput(InputStream bytes) throws IOException {
            super(bytes);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            Class<?> known = resolved.get(description.getName());
            if (known != null) {
                return known;
            }
            try {
                Class<?> found = Class.forName(description.getName(), false, application);
                resolved.put(description.getName(), found);
                return found;
            } catch (ClassNotFoundException notInApplication) {
                return primitive(description.getName(), notInApplication);
            }
        }

        @Override
        @SuppressWarnings("deprecation") // no other method gives a proxy class without an instance
        protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
            Class<?>[] types = new Class<?>[interfaces.length];
            for (int i = 0; i < types.length; i++) {
                types[i] = Class.forName(interfaces[i], false, application);
            }
            return Proxy.getProxyClass(application, types);
        }

        private Class<?> primitive(String name, ClassNotFoundException otherwise) throws ClassNotFoundException {
            return switch (name) {
                case "boolean" -> boolean.class;
                case "byte" -> byte.class;
                case "char" -> char.class;
                case "short" -> short.class;
                case "int" -> int.class;
                case "long" -> long.class;
                case "float" -> float.class;
                case "double" -> double.class;
                case "void" -> void.class;
                default -> throw otherwise;
            };
        }
    }
}
