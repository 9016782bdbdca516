package dev.hearth.kernel.internal.application;

import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.zip.ZipFile;

/**
 * Creates a class loader for each application, so that applications do not see each other's classes. Immutable; lives
 * as long as the process.
 */
public final class IsolatedApplications implements ApplicationLoaders {
    private final ClassLoader platform = IsolatedApplications.class.getClassLoader();
    private final ApiClassLoader api = new ApiClassLoader(platform);
    private final PackageOffers bundles;
    private final BundleTransfer freezing;
    private final ApplicationEndCalls endCalls;
    private final Consumer<Settings> onDemand;
    private final boolean closesJars;

    /** {@code onDemand} starts the bundles that the settings of an application need. */
    public IsolatedApplications(
            PackageOffers bundles, BundleTransfer freezing, ApplicationEndCalls endCalls, Consumer<Settings> onDemand) {
        this(bundles, freezing, endCalls, onDemand, true);
    }

    /**
     * {@code closesJars} is false in a process that ends with its application: the shutdown hooks of the application
     * then still load its classes.
     */
    public IsolatedApplications(
            PackageOffers bundles,
            BundleTransfer freezing,
            ApplicationEndCalls endCalls,
            Consumer<Settings> onDemand,
            boolean closesJars) {
        this.onDemand = onDemand;
        this.closesJars = closesJars;
        this.bundles = bundles;
        this.freezing = freezing;
        this.endCalls = endCalls;
    }

    @Override
    public ApplicationLoader open(String application, List<Path> jars) {
        return open(application, List.of(), jars);
    }

    @Override
    public ApplicationLoader open(String application, List<Path> classPath, List<Path> jars) {
        return open(application, classPath, jars, Settings.empty());
    }

    @Override
    public ApplicationLoader open(String application, List<Path> classPath, List<Path> jars, Settings settings) {
        TimeoutThread.started(); // started first, so that its thread does not retain the application's class loader
        List<Path> files = new ArrayList<>();
        List<URL> urls = new ArrayList<>();
        for (Path entry : classPath) {
            Path file = entry.toAbsolutePath().normalize();
            if (!Files.isDirectory(file)) {
                requireJar(application, file);
                files.add(file);
            }
            urls.add(url(application, file));
        }
        List<Path> absolute = new ArrayList<>();
        for (Path jar : jars) {
            Path file = jar.toAbsolutePath().normalize();
            requireJar(application, file);
            absolute.add(file);
            urls.add(url(application, file));
        }
        files.addAll(absolute);
        onDemand.accept(settings);
        ImportedPackages imported = ImportedPackages.of(application, files, settings, bundles);
        ApplicationClassLoader classes =
                new ApplicationClassLoader(application, urls.toArray(new URL[0]), api, platform, imported);
        return new OpenApplication(classes, imported, List.copyOf(absolute), freezing, endCalls, closesJars);
    }

    @Override
    public BundleSet freezeForDriver() {
        return freezing.freezeForDriver();
    }

    @Override
    public void start(List<FrozenBundle> frozen, BundleSource source) {
        freezing.start(frozen, source);
    }

    private static URL url(String application, Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw ErrorCode.PATH_MISSING.failure(subject(application, file) + e.getMessage(), e);
        }
    }

    private static void requireJar(String application, Path file) {
        String subject = subject(application, file);
        if (!Files.exists(file)) {
            throw ErrorCode.PATH_MISSING.failure(subject + "missing (expected: a jar on this machine)");
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            String found = Files.isDirectory(file) ? "a directory" : "not readable";
            throw ErrorCode.PATH_MISSING.failure(subject + found + " (expected: a jar that can be read)");
        }
        try {
            new ZipFile(file.toFile()).close();
        } catch (IOException e) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + e.getMessage() + " (expected: a jar); was it copied completely?", e);
        }
    }

    private static String subject(String application, Path file) {
        return "jar " + file + " of application " + application + ": ";
    }

    /**
     * An application from its opening to its close: its class loader, the packages that it imports from bundles, and
     * its jars. {@code freezing} takes snapshots of those bundles, which executors fetch and start. Thread-safe.
     */
    private static final class OpenApplication implements ApplicationLoader {
        private final ApplicationClassLoader classes;
        private final ImportedPackages imported;
        private final List<Path> jars;
        private final BundleTransfer freezing;
        private final ApplicationEndCalls endCalls;
        private final boolean closesJars;
        private final AtomicBoolean open = new AtomicBoolean(true);

        OpenApplication(
                ApplicationClassLoader classes,
                ImportedPackages imported,
                List<Path> jars,
                BundleTransfer freezing,
                ApplicationEndCalls endCalls,
                boolean closesJars) {
            this.classes = classes;
            this.imported = imported;
            this.jars = jars;
            this.freezing = freezing;
            this.endCalls = endCalls;
            this.closesJars = closesJars;
        }

        @Override
        public ClassLoader classes() {
            return classes;
        }

        @Override
        public List<Path> jars() {
            return jars;
        }

        @Override
        public BundleSet freeze() {
            return freezing.freeze(classes.application(), imported.providers());
        }

        @Override
        public void close() {
            if (!open.compareAndSet(true, false)) {
                return;
            }
            endCalls.ending(classes.application(), classes);
            new LeakCleanup(classes).removeAll();
            endCalls.ended(classes.application(), classes);
            try {
                if (closesJars) {
                    classes.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("jars of application " + classes.application(), e);
            } finally {
                imported.close();
            }
        }
    }

    /**
     * Starts the thread that the JDK shares for all time-outs. That thread keeps the context class loader of its first
     * user. The kernel must be the first user, because the loader of an application would otherwise be retained.
     */
    private static final class TimeoutThread {
        private static final CompletableFuture<Void> FIRST = CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(0, TimeUnit.NANOSECONDS, Runnable::run));

        static void started() {
            FIRST.join();
        }
    }
}
