package dev.hearth.api.launch;

import dev.hearth.api.HearthException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which provider serves which application of this process, by the application's class loader.
 * <p>Loaders are held weakly. Guarded by locks of its own. A launcher without application loaders (a plain class
 * path) installs one provider for the loader of this class, which every application loader falls back to.
 */
public final class ContextHolder {
    private static final Map<ClassLoader, ContextProvider> PROVIDERS = new WeakHashMap<>();

    private static final String EMBEDDED = "dev.hearth.embedded.EmbeddedContexts";
    private static final Object EMBEDDED_LOCK = new Object();
    private static @Nullable ContextProvider embedded; // guarded by its lock; null until one is made

    private ContextHolder() {}

    /** Serves the classes of {@code application} with {@code provider} until the installation is closed. */
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
     * The provider of the calling application: by the thread's context loader, else by the classes on the stack; where no
     * launcher installed any, that of hearth-embedded if it is on the class path of these classes.
     */
    public static ContextProvider provider() {
        Optional<ContextProvider> found = isUsed() ? installed() : Optional.empty();
        if (found.isEmpty()) {
            found = embedded();
        }
        if (found.isEmpty()) {
            throw new HearthException(
                    "NO_ENGINE",
                    "no engine for this application (expected: started by bin/submit, or dev.hearth:hearth-embedded on"
                            + " the class path); run it with bin/submit, or add that dependency");
        }
        return found.get();
    }

    /** Whether there is a launcher; where there is none, nobody needs to look for its installations. */
    private static boolean isUsed() {
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

    /** The provider for programs that nobody launched: found when one is first asked for, and kept. */
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

    /** Ends an installation. */
    public interface Installation extends AutoCloseable {
        @Override
        void close();
    }
}
