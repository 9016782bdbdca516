package dev.hearth.engine.internal.closure;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Creates copies of a lambda with fresh copies of its captured values. It deserialises only these values, which takes
 * one third of the time that deserialising the whole lambda takes. Immutable.
 */
final class LambdaCloner {
    private static final MethodType FACTORY_TYPE = MethodType.methodType(Object.class, SerializedLambda.class);

    private static final String API = "dev.hearth.api.";

    private final SerializedLambda form; // without captured values
    private final Class<?> capturing;
    private final MethodHandle factory;
    private final Bytes captured;

    private LambdaCloner(SerializedLambda form, Class<?> capturing, MethodHandle factory, Bytes captured) {
        this.form = form;
        this.capturing = capturing;
        this.factory = factory;
        this.captured = captured;
    }

    /**
     * Creates the cloner of a lambda that has not been called yet. Returns null for other objects, or if the lambda
     * cannot be decomposed.
     */
    static @Nullable LambdaCloner of(
            Object function, UserObjectSerializer objects, ClassLoader application, String subject) {
        Class<?> type = function.getClass();
        if (!type.isHidden() || !type.isSynthetic() || !(function instanceof Serializable)) {
            return null;
        }
        try {
            Method writeReplace = type.getDeclaredMethod("writeReplace");
            if (!writeReplace.trySetAccessible() || !(writeReplace.invoke(function) instanceof SerializedLambda form)) {
                return null;
            }
            Class<?> capturing = Class.forName(form.getCapturingClass().replace('/', '.'), false, application);
            Method factory = capturing.getDeclaredMethod("$deserializeLambda$", SerializedLambda.class);
            if (!factory.trySetAccessible()) {
                return null;
            }
            Object[] captured = new Object[form.getCapturedArgCount()];
            for (int i = 0; i < captured.length; i++) {
                captured[i] = form.getCapturedArg(i);
            }
            boolean[] plain = {true};
            Bytes written = objects.write(captured, subject, part -> plain[0] &= isPlain(part.getClass()));
            return plain[0]
                    ? new LambdaCloner(
                            with(capturing, form, new Object[0]),
                            capturing,
                            MethodHandles.lookup().unreflect(factory).asType(FACTORY_TYPE),
                            written)
                    : null;
        } catch (HearthException
                | ReflectiveOperationException
                        // the lambda cannot be serialised again, or has an unusual form: the caller deserialises it
                        // like any object
                        other) {
            return null;
        }
    }

    /**
     * Whether a deserialised copy of an instance of {@code type} has the state of the instance. Not guaranteed for
     * application classes that customise their serialised form.
     */
    private static boolean isPlain(Class<?> type) {
        return type.getClassLoader() == null
                || type.getName().startsWith(API)
                || !ImmutabilityCheck.hasFormOfItsOwn(type);
    }

    /**
     * Creates a copy of the lambda with fresh copies of its captured values, so it shares no mutable state with any
     * other copy.
     */
    Object open(UserObjectSerializer objects, String subject) {
        Object[] fresh = (Object[]) objects.read(captured, subject);
        SerializedLambda whole = with(capturing, form, fresh);
        try {
            return (Object) factory.invokeExact(whole);
        } catch (VirtualMachineError failure) {
            throw failure;
        } catch (Throwable impossible) { // not expected: the same call has succeeded before
            throw new IllegalStateException(subject + ": the lambda cannot be re-created", impossible);
        }
    }

    private static SerializedLambda with(Class<?> capturing, SerializedLambda form, Object[] captured) {
        return new SerializedLambda(
                capturing,
                form.getFunctionalInterfaceClass(),
                form.getFunctionalInterfaceMethodName(),
                form.getFunctionalInterfaceMethodSignature(),
                form.getImplMethodKind(),
                form.getImplClass(),
                form.getImplMethodName(),
                form.getImplMethodSignature(),
                form.getInstantiatedMethodType(),
                captured);
    }
}
