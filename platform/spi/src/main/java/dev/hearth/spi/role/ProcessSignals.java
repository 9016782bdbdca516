package dev.hearth.spi.role;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Receives signals of the operating system in place of the JVM. Until it is closed, the JVM does not end on these
 * signals. Uses the module jdk.unsupported by reflection, because Java has no other access to signals; where that is
 * missing, and for signals that the process ignores, nothing changes. Thread-safe.
 */
public final class ProcessSignals implements AutoCloseable {
    private final Map<String, Object> previous = new LinkedHashMap<>(); // handlers by the name of the signal
    private final Consumer<Exception> unavailable;

    private ProcessSignals(Consumer<Exception> unavailable) {
        this.unavailable = unavailable;
    }

    /**
     * Calls {@code receiver} with the name of each arriving signal, on a thread of the JVM. {@code names} are such as
     * {@code INT}, without the prefix SIG. {@code unavailable} is called for each signal that stays with the JVM.
     */
    public static ProcessSignals receive(
            List<String> names, Consumer<String> receiver, Consumer<Exception> unavailable) {
        ProcessSignals signals = new ProcessSignals(unavailable);
        for (String name : names) {
            signals.replace(name, receiver);
        }
        return signals;
    }

    private void replace(String name, Consumer<String> receiver) {
        try {
            Class<?> handler = handlerType();
            Object own = Proxy.newProxyInstance(
                    ClassLoader.getSystemClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        return switch (method.getName()) {
                            case "handle" -> {
                                receiver.accept(name);
                                yield null;
                            }
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "receiver of signal " + name;
                        };
                    });
            previous.put(name, install(name, own));
        } catch (ReflectiveOperationException | RuntimeException failure) {
            unavailable.accept(failure);
        }
    }

    private static Object install(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal", true, ClassLoader.getSystemClassLoader());
        Object wanted = signal.getConstructor(String.class).newInstance(name);
        try {
            return signal.getMethod("handle", signal, handlerType()).invoke(null, wanted, handler);
        } catch (InvocationTargetException refused) { // for example, the JVM runs with -Xrs
            throw new IllegalStateException(String.valueOf(refused.getCause()), refused);
        }
    }

    private static Class<?> handlerType() throws ClassNotFoundException {
        return Class.forName("sun.misc.SignalHandler", true, ClassLoader.getSystemClassLoader());
    }

    /** Gives the signals back to their previous handlers. */
    @Override
    public synchronized void close() {
        previous.forEach((name, handler) -> {
            try {
                install(name, handler);
            } catch (ReflectiveOperationException | RuntimeException failure) {
                unavailable.accept(failure);
            }
        });
        previous.clear();
    }
}
