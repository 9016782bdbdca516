package dev.hearth.api.launch;

import dev.hearth.api.HearthException;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

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

    /**
     * The provider of the calling application: by the thread's context loader, else by the classes on the stack; where no
     * launcher installed any, that of hearth-embedded if it is on the class path of these classes.
     */
    public static ContextProvider provider() {
        return find(Thread.currentThread().getContextClassLoader())
                .or(() -> CALLERS.walk(frames -> frames.map(
                                frame -> find(frame.getDeclaringClass().getClassLoader()))
                        .flatMap(Optional::stream)
                        .findFirst()))
                .or(() -> Optional.ofNullable(Embedded.PROVIDER))
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

    /** The provider for programs that nobody launched. Found when one is first asked for, and kept. */
    private static final class Embedded {
        private static final String NAME = "dev.hearth.embedded.EmbeddedContexts";
        static final @Nullable ContextProvider PROVIDER = find();

        private static @Nullable ContextProvider find() {
            try {
                return Class.forName(NAME)
                        .asSubclass(ContextProvider.class)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ClassNotFoundException absent) {
                return null;
            } catch (ReflectiveOperationException broken) {
                throw new IllegalStateException(
                        NAME + ": cannot be made (expected: of the same release as dev.hearth.api)", broken);
            }
        }
    }

    /** Ends an installation. */
    public interface Installation extends AutoCloseable {
        @Override
        void close();
    }
}
