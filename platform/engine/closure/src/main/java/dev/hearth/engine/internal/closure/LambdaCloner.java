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
 * A lambda taken apart, to be put together again with fresh copies of what it captured: reading these alone takes a third of
 * the time that reading the lambda does. Immutable.
 */
final class LambdaCloner {
    private static final MethodType PUT_TOGETHER = MethodType.methodType(Object.class, SerializedLambda.class);

    private static final String API = "dev.hearth.api.";

    private final SerializedLambda form; // without what was captured
    private final Class<?> capturing;
    private final MethodHandle putTogether;
    private final Bytes captured;

    private LambdaCloner(SerializedLambda form, Class<?> capturing, MethodHandle putTogether, Bytes captured) {
        this.form = form;
        this.capturing = capturing;
        this.putTogether = putTogether;
        this.captured = captured;
    }

    /** The form of a lambda that nobody has used yet; null for other objects, or where it cannot be had. */
    static @Nullable LambdaCloner of(
            Object function, UserObjectSerializer objects, ClassLoader application, String subject) {
        Class<?> type = function.getClass();
        if (!type.isHidden() || !type.isSynthetic() || !(function instanceof Serializable)) {
            return null;
        }
        try {
            Method takeApart = type.getDeclaredMethod("writeReplace");
            if (!takeApart.trySetAccessible() || !(takeApart.invoke(function) instanceof SerializedLambda form)) {
                return null;
            }
            Class<?> capturing = Class.forName(form.getCapturingClass().replace('/', '.'), false, application);
            Method putTogether = capturing.getDeclaredMethod("$deserializeLambda$", SerializedLambda.class);
            if (!putTogether.trySetAccessible()) {
                return null;
            }
            Object[] captured = new Object[form.getCapturedArgCount()];
            for (int i = 0; i < captured.length; i++) {
                captured[i] = form.getCapturedArg(i);
            }
            boolean[] plain = {true};
            Bytes written = objects.write(captured, subject, met -> plain[0] &= isPlain(met.getClass()));
            return plain[0]
                    ? new LambdaCloner(
                            with(capturing, form, new Object[0]),
                            capturing,
                            MethodHandles.lookup().unreflect(putTogether).asType(PUT_TOGETHER),
                            written)
                    : null;
        } catch (HearthException
                | ReflectiveOperationException
                        other) { // cannot be written twice, or is not as compilers make them: read it as any object is
            return null;
        }
    }

    /** Whether a second copy is like the first: what says by itself how it is read may make something else of it. */
    private static boolean isPlain(Class<?> type) {
        return type.getClassLoader() == null
                || type.getName().startsWith(API)
                || !ImmutabilityCheck.hasFormOfItsOwn(type);
    }

    /** A new instance, which shares nothing that changes with any other. */
    Object open(UserObjectSerializer objects, String subject) {
        Object[] fresh = (Object[]) objects.read(captured, subject);
        SerializedLambda whole = with(capturing, form, fresh);
        try {
            return (Object) putTogether.invokeExact(whole);
        } catch (VirtualMachineError failure) {
            throw failure;
        } catch (Throwable impossible) { // it worked when the lambda was read
            throw new IllegalStateException(subject + ": cannot be put together", impossible);
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
