package dev.hearth.hadoopclient.internal;

import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.hadoopclient.api.TicketLife;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop in this process. Hadoop's own classes are first loaded when a caller needs them, and end with the bundle.
 * Thread-safe: the start is guarded by this.
 */
public final class EmbeddedHadoop implements HadoopRuntime {
    private static final AtomicReference<@Nullable EmbeddedHadoop> RUNNING = new AtomicReference<>();

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedHadoop.class);
    private static final String EXECUTOR = "executor";

    private final Settings settings;
    private final HadoopEnvironment environment;
    private final BooleanSupplier ending;
    private final QuietLoggers loggers;
    private final ProcessUsers users = new ProcessUsers();
    private final Optional<ReceivedTokens> received; // in executors, which log in by tokens alone
    private final ClassLoader bundle = EmbeddedHadoop.class.getClassLoader();
    private volatile @Nullable Started started; // written under this
    private boolean ended; // guarded by this

    public EmbeddedHadoop(KernelInfo kernel, ReceivedTokens received, @Nullable Logs logs) {
        this(
                kernel.settings(),
                new HadoopEnvironment(System.getenv(), kernel.home()),
                Optional.ofNullable(logs),
                kernel::isEnding,
                kernel.role().equals(EXECUTOR) ? Optional.of(received) : Optional.empty());
    }

    /** {@code ending} returns whether the process is ending when this bundle stops. */
    EmbeddedHadoop(Settings settings, HadoopEnvironment environment, Optional<Logs> logs, BooleanSupplier ending) {
        this(settings, environment, logs, ending, Optional.empty());
    }

    private EmbeddedHadoop(
            Settings settings,
            HadoopEnvironment environment,
            Optional<Logs> logs,
            BooleanSupplier ending,
            Optional<ReceivedTokens> received) {
        this.received = received;
        this.settings = settings;
        this.ending = ending;
        this.environment = environment;
        this.loggers = new QuietLoggers(logs);
    }

    /** Hadoop with its site files, once its static tables are loaded. */
    private record Started(SiteFiles sites, SiteClassLoader classes, ConfigurationMerge merge) {}

    /** The runtime of this class loader, if Hadoop has been used. */
    static Optional<EmbeddedHadoop> running() {
        return Optional.ofNullable(RUNNING.get());
    }

    /** Starts Hadoop at its first use, before an application can use a class of it. */
    private Started started() {
        Started found = started;
        if (found != null) {
            return found;
        }
        synchronized (this) {
            if (started == null) {
                started = start();
                RUNNING.set(this);
            }
            return started;
        }
    }

    private Started start() {
        SiteFiles sites = SiteFiles.of(environment.directories());
        SiteClassLoader classes = new SiteClassLoader(bundle, sites);
        ConfigurationMerge merge = new ConfigurationMerge(environment.variables());
        loggers.atStart();
        try {
            OwnThread.call(classes, () -> {
                StaticTables.loadDefaults();
                StaticTables.load(merge.merge(settings, classes));
                return null;
            });
        } catch (Exception failure) {
            throw ErrorCode.START_FAILED.failure(
                    "Hadoop's client: " + failure + " (expected: it starts); check its site files", failure);
        }
        return new Started(sites, classes, merge);
    }

    /** Ends Hadoop, if it was used. */
    synchronized void stop() throws Exception {
        ended = true;
        if (started == null) {
            return;
        }
        RUNNING.set(null);
        loggers.atEnd();
        OwnThread.call(bundle, () -> {
            if (ending.getAsBoolean()) {
                HadoopShutdown.runAtExit();
            } else {
                HadoopShutdown.run(bundle);
            }
            return null;
        });
        loggers.restore();
    }

    /** The configuration of the process, without settings of an application. */
    Configuration configuration() {
        return configuration(settings);
    }

    @Override
    public Configuration configuration(Settings application) {
        return merged(application, started().classes());
    }

    @Override
    public Configuration configuration(Settings application, List<Path> directories) {
        return merged(application, new SiteClassLoader(bundle, SiteFiles.of(directories)));
    }

    private Configuration merged(Settings application, SiteClassLoader loader) {
        ConfigurationMerge merge = started().merge();
        try {
            return OwnThread.call(loader, () -> merge.merge(application, loader));
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw ErrorCode.BAD_SETTING.failure(
                    "Hadoop's configuration: " + failure + " (expected: site files that can be read)", failure);
        }
    }

    @Override
    public Optional<String> origin(Configuration configuration, String key) {
        SiteFiles files = configuration.getClassLoader() instanceof SiteClassLoader loader
                ? loader.files()
                : started().sites();
        return ConfigurationMerge.origin(configuration, key, files);
    }

    @Override
    public void begin() {
        if (started == null) {
            Thread thread = new Thread(null, this::beginNow, "hearth-hadoop-start", 0, false);
            thread.setContextClassLoader(bundle);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized void beginNow() {
        try {
            if (!ended) {
                LOG.debug("Hadoop's client: started early, {}", started());
            }
        } catch (RuntimeException | LinkageError failure) { // the first caller fails in the same way
            LOG.debug("Hadoop's client: not started early", failure);
        }
    }

    @Override
    public void prepare(Class<?> user) throws Exception {
        started();
        call(() -> StartClasses.load(StartClasses.names(), bundle)
                + StartClasses.load(StartClasses.ofJar(user), user.getClassLoader()));
    }

    @Override
    public void prepareSubmission(Class<?> user, Set<String> packages) throws Exception {
        started();
        List<String> own = new ArrayList<>(StartClasses.ofJar(user));
        own.removeIf(name -> !packages.contains(name.substring(0, name.lastIndexOf('.'))));
        call(() ->
                StartClasses.load(StartClasses.ofSubmitters(), bundle) + StartClasses.load(own, user.getClassLoader()));
    }

    @Override
    public Map<String, Path> siteFiles() {
        return started().sites().byName();
    }

    @Override
    public Map<String, Path> siteFiles(List<Path> directories) {
        return SiteFiles.of(directories).byName();
    }

    @Override
    public UserGroupInformation user(Settings application, Configuration configuration) throws IOException {
        SettingsReader in = new SettingsReader(application);
        HadoopIdentity identity = HadoopIdentity.read(in);
        in.finish();
        try {
            return call(() -> {
                if (received.isEmpty()) {
                    return users.user(identity, configuration);
                }
                received.get().add();
                return UserGroupInformation.getLoginUser();
            });
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) { // the action throws no other
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Optional<TicketLife> ticket(UserGroupInformation user) throws IOException {
        return ProcessUsers.ticket(user);
    }

    @Override
    public <T> T call(Callable<T> action) throws Exception {
        ClassLoader classes = started().classes();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
