package dev.hearth.api.launch;

import dev.hearth.api.HearthException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The registry of context providers, by the class loader of the application that each provider serves. Through this
 * registry, the API finds the engine that the launcher chose. Class loaders are weakly referenced.
 * <p>A launcher without class loaders for applications (a plain class path) installs one provider for the class loader
 * of this class. That provider serves all applications without a provider of their own. Thread-safe.
 */
public final class ContextHolder {
    private static final Map<ClassLoader, ContextProvider> PROVIDERS = new WeakHashMap<>();

    private static final String EMBEDDED = "dev.hearth.embedded.EmbeddedContexts";
    private static final Object EMBEDDED_LOCK = new Object();
    private static @Nullable ContextProvider embedded; // guarded by EMBEDDED_LOCK; loaded on first use

    private ContextHolder() {}

    /**
     * Registers {@code provider} for classes loaded by {@code application} or a descendant, until the returned
     * installation is closed.
     */
    public static Installation install(ClassLoader application, ContextProvider provider) {
        synchronized (PROVIDERS) {
            if (PROVIDERS.putIfAbsent(application, provider) != null) {
                throw new IllegalStateException(
                        "context provider for " + application + ": installed twice (expected: once)");
            }
        }
        return () -> {
            synchronized (PROVIDERS) {
                PROVIDERS.remove(application, provider);
            }
        };
    }

    /**
     * The provider of the calling application. It is found by the thread's context class loader, or else by the class
     * loaders of the classes on the stack. If no provider is found, the result is the provider of hearth-embedded,
     * which must be on the class path.
     */
    public static ContextProvider provider() {
        Optional<ContextProvider> found = hasProviders() ? installed() : Optional.empty();
        if (found.isEmpty()) {
            found = embedded();
        }
        if (found.isEmpty()) {
            throw new HearthException(
                    "NO_ENGINE",
                    "context: no engine in this process (expected: a process started by bin/submit, or"
                            + " dev.hearth:hearth-embedded on"
                            + " the class path); run the application with bin/submit, or add that dependency");
        }
        return found.get();
    }

    /**
     * Whether a launcher has installed any provider; if not, {@link #provider} skips its search of the class loaders on
     * the stack.
     */
    private static boolean hasProviders() {
        synchronized (PROVIDERS) {
            return !PROVIDERS.isEmpty();
        }
    }

    private static Optional<ContextProvider> installed() {
        return find(Thread.currentThread().getContextClassLoader())
                .or(() -> StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(frames -> frames.map(
                                        frame -> find(frame.getDeclaringClass().getClassLoader()))
                                .flatMap(Optional::stream)
                                .findFirst()));
    }

    private static Optional<ContextProvider> find(ClassLoader start) {
        synchronized (PROVIDERS) {
            for (ClassLoader loader = start; loader != null; loader = loader.getParent()) {
                ContextProvider provider = PROVIDERS.get(loader);
                if (provider != null) {
                    return Optional.of(provider);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The context provider for applications without a launcher, from hearth-embedded. Loaded at the first call; empty
     * if hearth-embedded is not on the class path.
     */
    private static Optional<ContextProvider> embedded() {
        synchronized (EMBEDDED_LOCK) {
            if (embedded == null) {
                try {
                    embedded = Class.forName(EMBEDDED)
                            .asSubclass(ContextProvider.class)
                            .getDeclaredConstructor()
                            .newInstance();
                } catch (ClassNotFoundException absent) {
                    return Optional.empty();
                } catch (ReflectiveOperationException | LinkageError broken) {
                    Throwable why = broken instanceof InvocationTargetException ? broken.getCause() : broken;
                    throw new HearthException(
                            "NO_ENGINE",
                            "hearth-embedded: " + why
                                    + " (expected: slf4j-api 2.0.9 or newer beside it on the class path, and"
                                    + " no other hearth jar); add that dependency",
                            why);
                }
            }
            return Optional.of(embedded);
        }
    }

    /** The registration of a context provider; closing it removes the provider. */
    public interface Installation extends AutoCloseable {
        @Override
        void close();
    }
}
