package dev.hearth.embedded;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.engine.wiring.EngineParts;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;

/**
 * Opens contexts in programs that run without a launcher and have hearth-embedded on their class path.
 * <p>The API creates the only instance by class name when the first context is opened. The instance lives as long as
 * the process. A shutdown hook closes open contexts, with a time limit. The lock of {@code applications} guards the
 * state; contexts are opened and closed outside of that lock.
 */
public final class EmbeddedContexts implements ContextProvider {
    /** Maximum time that the end of the process waits for open contexts to close. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final DriverEngine engine;
    /**
     * The applications that this instance has begun. The engine references an application while its context is open;
     * afterwards the application can be garbage collected.
     */
    private final List<BegunApplication> applications = new ArrayList<>();

    private boolean ending;

    public EmbeddedContexts() {
        LoggingBinding.bind(); // must come before any class with a logger is loaded
        engine = EngineParts.engine(
                new LocalClusterManagers(),
                EmbeddedContexts::refuseMessages,
                List.of(new OptionalEventLog()),
                FileStoreRegistry.of(() -> ServiceLoader.load(FileStores.class)));
        try {
            Thread hook = new Thread(null, this::endWithinBound, "hearth-ending", 0, false);
            // Otherwise the hook would reference the class loader of the first caller until the process ends.
            hook.setContextClassLoader(EmbeddedContexts.class.getClassLoader());
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException late) {
            ending = true;
        }
    }

    @Override
    public HearthContext open(ContextRequest request) {
        Settings properties = ProgramSettings.now();
        SettingsCheck.check(properties, request.settings());
        return application(properties, ProgramClasses.ofThread()).contexts().open(request);
    }

    /** The open contexts that {@code thread} has opened, oldest first; for tools that find leaked contexts. */
    public List<HearthContext> openedBy(Thread thread) {
        List<BegunApplication> begun;
        synchronized (applications) {
            begun = List.copyOf(applications);
        }
        return begun.stream()
                .filter(one -> one.thread() == thread.getId())
                .map(one -> one.application().get())
                .filter(Objects::nonNull)
                .flatMap(application -> application.open().stream())
                .toList();
    }

    private DriverEngine.Application application(Settings properties, ClassLoader code) {
        synchronized (applications) {
            if (ending || processEnds()) {
                throw ErrorCode.CONTEXT_CLOSED.failure(
                        "context: opened while the process ends (expected: opened before the process began to end);"
                                + " do not open contexts in shutdown hooks");
            }
            DriverEngine.Application begun = engine.begin(properties, new CallerClassPath(code));
            applications.removeIf(known -> known.application().get() == null);
            applications.add(new BegunApplication(
                    new WeakReference<>(begun), Thread.currentThread().getId()));
            return begun;
        }
    }

    /**
     * Whether the process is ending, so that shutdown hooks run. Hooks run in parallel: another hook may open a context
     * before the hook of this class has set {@code ending}.
     */
    private static boolean processEnds() {
        try {
            return Runtime.getRuntime().removeShutdownHook(new Thread("no hook"));
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }

    /**
     * Closes the contexts on a separate thread and waits for it at most {@link #CLOSE_BOUND}. Without this limit,
     * closing could wait forever for the thread that called exit.
     */
    private void endWithinBound() {
        List<DriverEngine.Application> open;
        synchronized (applications) {
            ending = true;
            open = applications.stream()
                    .map(begun -> begun.application().get())
                    .filter(Objects::nonNull)
                    .toList();
        }
        Thread closing = new Thread(() -> open.forEach(application -> application.end(true)), "hearth-closing");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE_BOUND.toMillis());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt(); // stop waiting
        }
    }

    private static RpcEnv refuseMessages(RpcSettings settings) {
        throw new IllegalStateException("message system: asked for with " + settings
                + " (expected: never, with executors in this process alone)");
    }

    /** An application, unless it was garbage collected, and the id of the thread that opened its context. */
    private record BegunApplication(WeakReference<DriverEngine.Application> application, long thread) {}

    /**
     * Loader of an application whose classes are those of the program itself. Closing it does nothing, because these
     * classes exist before and after the application.
     */
    private record CallerClassPath(ClassLoader classes) implements ApplicationLoader {
        @Override
        public List<Path> jars() {
            return List.of();
        }

        @Override
        public void close() {
            // nothing to close: the class path lives as long as the process
        }
    }
}
