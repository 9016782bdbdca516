package dev.hearth.api.launch;

import dev.hearth.api.HearthException;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Which provider serves which application of this process, by the application's class loader.
 * <p>Loaders are held weakly. Guarded by the class's own lock. A launcher without application loaders (a plain class
 * path) installs one provider for the loader of this class, which every application loader falls back to.
 */
public final class ContextHolder {
    private static final Map<ClassLoader, ContextProvider> PROVIDERS = new WeakHashMap<>();
    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

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

    /** The provider of the calling application: by the thread's context loader, else by the classes on the stack. */
    public static ContextProvider provider() {
        return find(Thread.currentThread().getContextClassLoader())
                .or(() -> CALLERS.walk(frames -> frames.map(
                                frame -> find(frame.getDeclaringClass().getClassLoader()))
                        .flatMap(Optional::stream)
                        .findFirst()))
                .orElseThrow(() -> new HearthException(
                        "NO_ENGINE",
                        "no engine for this application (expected: started by bin/submit, or dev.hearth:hearth-embedded on"
                                + " the class path); run it with bin/submit, or add that dependency"));
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

    /** Ends an installation. */
    public interface Installation extends AutoCloseable {
        @Override
        void close();
    }
}
