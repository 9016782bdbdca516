package dev.hearth.engine.internal.serial;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/** Turns objects of one application into bytes and back, with that application's classes. Safe for use by any thread. */
public final class UserObjects {
    private final ClassLoader application;
    private final Unchangeable unchangeable = new Unchangeable();

    public UserObjects(ClassLoader application) {
        this.application = application;
    }

    /** What may be shared instead of being written and read. */
    public Unchangeable unchangeable() {
        return unchangeable;
    }

    /** Writes an object; {@code subject} says in the error which of the user's things it was. */
    public Bytes write(Object object, String subject) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (NotSerializableException failure) {
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    subject + ": holds a " + failure.getMessage()
                            + " (expected: only java.io.Serializable objects travel to executors); make it Serializable,"
                            + " or create it inside the function",
                    failure);
        } catch (IOException failure) { // a user's writeObject threw
            throw ErrorCode.NOT_SERIALIZABLE.failure(subject + ": could not be written: " + failure, failure);
        }
        return Bytes.owning(bytes.toByteArray());
    }

    /** Reads an object back; classes that the gate does not admit are refused. */
    public Object read(Bytes bytes, String subject) {
        ClassGate gate = new ClassGate(application);
        try (ObjectInputStream in = new ApplicationInput(bytes)) {
            in.setObjectInputFilter(gate);
            return in.readObject();
        } catch (InvalidClassException failure) {
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    subject + ": refused: " + gate.refused()
                            + " (expected: classes of the application, dev.hearth.api, or plain JDK values and collections)",
                    failure);
        } catch (ClassNotFoundException failure) {
            throw ErrorCode.CLASS_MISSING.failure(
                    subject + ": class " + failure.getMessage()
                            + " not found here (expected: in the application's jars); add its jar with --jars",
                    failure);
        } catch (IOException failure) {
            throw ErrorCode.NOT_SERIALIZABLE.failure(subject + ": could not be read: " + failure, failure);
        }
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

    /** Resolves classes by the application's loader and by no other. */
    private final class ApplicationInput extends ObjectInputStream {
        ApplicationInput(Bytes bytes) throws IOException {
            super(bytes.stream());
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), false, application);
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
