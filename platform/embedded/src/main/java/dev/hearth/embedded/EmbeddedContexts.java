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
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Opens contexts where no launcher does: in any main or test with hearth-embedded on its class path.
 * <p>Made by the api, by its name, when the first context is opened; lives as long as the process, whose end closes what was
 * left open, within a bound. Guarded by its own lock; contexts are opened and closed outside of it.
 */
public final class EmbeddedContexts implements ContextProvider {
    /** How long the end of the process may wait for contexts that were left open. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final DriverEngine engine;
    /** An application each, which the engine holds while its context is open; what was closed lets its classes go. */
    private final List<Begun> applications = new ArrayList<>();

    private boolean ending;

    public EmbeddedContexts() {
        Logging.bind(); // before any class with a logger is loaded
        engine = EngineParts.engine(new LocalMasters(), EmbeddedContexts::refuseMessages, List.of(new EventLogs()));
        try {
            Thread hook = new Thread(null, this::endWithinBound, "hearth-ending", 0, false);
            hook.setContextClassLoader(EmbeddedContexts.class.getClassLoader()); // not that of who came first
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException late) {
            ending = true;
        }
    }

    @Override
    public HearthContext open(ContextRequest request) {
        Surroundings here = Surroundings.now();
        SettingsCheck.check(here.settings(), request.settings());
        return application(here).contexts().open(request);
    }

    /** The contexts that {@code thread} has opened and nobody has closed, oldest first: for those who look for leftovers. */
    public List<HearthContext> openedBy(Thread thread) {
        List<Begun> begun;
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

    private DriverEngine.Application application(Surroundings here) {
        synchronized (applications) {
            if (ending || processEnds()) {
                throw ErrorCode.CONTEXT_CLOSED.failure(
                        "context: opened while the process ends (expected: before); open none in shutdown hooks");
            }
            DriverEngine.Application begun = engine.begin(here.settings(), new OwnCode(here.code));
            applications.removeIf(known -> known.application().get() == null);
            applications.add(
                    new Begun(new WeakReference<>(begun), Thread.currentThread().getId()));
            return begun;
        }
    }

    /** Whether shutdown hooks run: all of them at once, so that another one may come here before ours has said so. */
    private static boolean processEnds() {
        try {
            return Runtime.getRuntime().removeShutdownHook(new Thread("no hook"));
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }

    /** Closes on a thread of its own: whoever called exit may be what the closing waits for. */
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
            Thread.currentThread().interrupt(); // then the process ends now
        }
    }

    private static RpcEnv refuseMessages(RpcSettings settings) {
        throw new IllegalStateException("message system: asked for with " + settings
                + " (expected: never, with executors in this process alone)");
    }

    /** An application, and the thread that opened its context. */
    private record Begun(WeakReference<DriverEngine.Application> application, long thread) {}

    /** What a context finds when it is opened: the system properties that are settings, and the code that it is for. */
    private record Surroundings(Map<String, String> properties, ClassLoader code) {
        static Surroundings now() {
            Map<String, String> properties = new LinkedHashMap<>();
            for (String name : System.getProperties().stringPropertyNames()) {
                if (name.startsWith("hearth.") || name.startsWith("spark.")) {
                    properties.put(name, System.getProperty(name));
                }
            }
            return new Surroundings(properties, callersCode());
        }

        Settings settings() {
            return Settings.empty().with("-D", properties);
        }

        /** The loader of the thread's code, if it has the same classes of ours; else the one these came from. */
        private static ClassLoader callersCode() {
            ClassLoader own = EmbeddedContexts.class.getClassLoader();
            for (ClassLoader loader = Thread.currentThread().getContextClassLoader();
                    loader != null;
                    loader = loader.getParent()) {
                if (loader == own) {
                    return Thread.currentThread().getContextClassLoader();
                }
            }
            return own;
        }
    }

    /** Code that was there before us and stays: nothing of it is opened or closed here. */
    private record OwnCode(ClassLoader classes) implements ApplicationLoader {
        @Override
        public List<Path> jars() {
            return List.of();
        }

        @Override
        public void close() {
            // the class path lives as long as the process
        }
    }
}
