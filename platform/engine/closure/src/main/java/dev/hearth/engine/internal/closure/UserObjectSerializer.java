package dev.hearth.engine.internal.closure;

import dev.hearth.api.HearthException;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns objects of one application into bytes and back, with that application's classes. Safe for use by any thread. */
public final class UserObjectSerializer {
    /** Tables of hashed collections are a few times as long as what is in them. */
    private static final long ELEMENTS_A_BYTE = 8;

    private static final long ELEMENTS_SPARE = 64;

    private final ClassLoader application;
    private final ImmutabilityCheck unchangeable = new ImmutabilityCheck();
    private final Map<Class<?>, Boolean> admitted = new ConcurrentHashMap<>(); // by the gate; dies with the application
    private final Map<String, Class<?>> resolved = new ConcurrentHashMap<>();

    public UserObjectSerializer(ClassLoader application) {
        this.application = application;
    }

    /** What may be shared instead of being written and read. */
    public ImmutabilityCheck unchangeable() {
        return unchangeable;
    }

    @Nullable
    LambdaCloner form(Object function, String subject) {
        return LambdaCloner.of(function, this, application, subject);
    }

    /** Writes an object; {@code subject} says in the error which of the user's things it was. */
    public Bytes write(@Nullable Object object, String subject) {
        return write(object, subject, passed -> {});
    }

    /** As {@link #write(Object, String)}; {@code met} is told every object that is written. */
    public Bytes write(@Nullable Object object, String subject, Consumer<Object> met) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ToldOutput(bytes, met)) {
            write(object, subject, out);
        } catch (IOException failure) {
            throw unwritable(subject, failure);
        }
        return Bytes.owning(bytes.toByteArray());
    }

    /** As {@link #write(Object, String)}, piece by piece; {@code target} stays open. */
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
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    where(subject)
                            + ": nested too deep to be written (expected: chains of a few thousand objects at most);"
                            + " keep it in a list or an array",
                    failure);
        } catch (IOException | RuntimeException failure) { // a user's writeObject threw
            throw unwritable(subject, failure);
        }
    }

    private static HearthException unwritable(String subject, Throwable failure) {
        return ErrorCode.NOT_SERIALIZABLE.failure(
                where(subject) + ": could not be written: " + blame(failure), failure);
    }

    /** The application's class of that name, array classes included; not yet asked for at the gate. */
    public Class<?> find(String name, String subject) {
        try {
            return Class.forName(name, false, application);
        } catch (ClassNotFoundException | LinkageError failure) {
            throw missing(name, subject, failure);
        }
    }

    /** Refuses a class that the gate does not let out of bytes. */
    public void admit(Class<?> type, String subject) {
        if (!new DeserializationFilter(application, admitted).admitsType(type)) {
            throw ErrorCode.NOT_SERIALIZABLE.failure(refusal(subject, "class " + type.getName()));
        }
    }

    /** Reads an object back; classes that the gate does not admit are refused. */
    public Object read(Bytes bytes, String subject) {
        return read(bytes.stream(), new DeserializationFilter(application, admitted), subject);
    }

    /** As the other one, for bytes that may be damaged: arrays may not be much longer than the bytes could fill. */
    public Object read(byte[] array, int from, int length, String subject) {
        long elementsMax = ELEMENTS_SPARE + length * ELEMENTS_A_BYTE;
        return read(
                new ByteArrayInputStream(array, from, length),
                new DeserializationFilter(application, admitted, elementsMax),
                subject);
    }

    /** As above, for {@code length} bytes that come piece by piece. */
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
            throw ErrorCode.NOT_SERIALIZABLE.failure(refusal(subject, gate.refused()), failure);
        } catch (ClassNotFoundException failure) {
            throw missing(failure.getMessage(), subject, failure);
        } catch (IOException
                | RuntimeException
                | StackOverflowError failure) { // a user's readObject threw, or too deep
            throw ErrorCode.NOT_SERIALIZABLE.failure(subject + ": could not be read: " + blame(failure), failure);
        }
    }

    private static String refusal(String subject, String refused) {
        return subject + ": refused: " + refused
                + " (expected: classes of the application, dev.hearth.api, or plain JDK values and collections)";
    }

    private static HearthException missing(@Nullable String name, String subject, Throwable cause) {
        return ErrorCode.CLASS_MISSING.failure(
                subject + ": class " + name
                        + " not found here (expected: in the application's jars); add its jar with --jars",
                cause);
    }

    /** The refusal to write {@code object} because of something in it, of the class named {@code culprit}. */
    public static HearthException unserializable(@Nullable Object object, String subject, String culprit) {
        return unserializable(object, subject, new NotSerializableException(culprit));
    }

    /** Says what could not be written and where in the user's object it stands; looked for only now. */
    private static HearthException unserializable(
            @Nullable Object object, String subject, NotSerializableException failure) {
        String culprit = String.valueOf(failure.getMessage());
        String path = object == null
                ? ""
                : SerializationDebugger.path(object, culprit).orElse("");
        return ErrorCode.NOT_SERIALIZABLE.failure(
                where(subject) + ": "
                        + (path.isEmpty() ? "holds a " + culprit + ", which" : path + " (" + culprit + ")")
                        + " cannot travel (expected: only java.io.Serializable objects travel to executors); make it"
                        + " Serializable or transient, or create it inside the function",
                failure);
    }

    private static String where(String subject) {
        return UserStackFrames.caller().map(line -> subject + " at " + line).orElse(subject);
    }

    /** What was thrown, and in which line of the user's code. */
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
     * Whether one instance can serve every task: a lambda or function object without fields cannot carry anything from
     * one task to another. Anything else is read anew for each.
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

    /** Tells of every object that is written. */
    private static final class ToldOutput extends ObjectOutputStream {
        private final Consumer<Object> met;

        ToldOutput(OutputStream out, Consumer<Object> met) throws IOException {
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

    /** Resolves classes by the application's loader and by no other. */
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
            } catch (ClassNotFoundException notTheApplications) {
                return primitive(description.getName(), notTheApplications);
            }
        }

        @Override
        @SuppressWarnings("deprecation") // the one way to a proxy class before there is an instance to make
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
