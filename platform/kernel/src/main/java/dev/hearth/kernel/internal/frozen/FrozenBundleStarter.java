package dev.hearth.kernel.internal.frozen;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.application.BundlePackages;
import dev.hearth.kernel.internal.application.PackagePattern;
import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.inventory.FullDisk;
import dev.hearth.kernel.internal.inventory.MissingRequirements;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs and starts the bundles of a snapshot: in an executor those of its driver, in a driver those of its
 * submitter. Executors start bundles in reserve only when they are needed. Guarded by its own lock, which is held while
 * jars are fetched and bundles start. Lives as long as the OSGi framework.
 */
public final class FrozenBundleStarter {
    private static final Logger LOG = LoggerFactory.getLogger(FrozenBundleStarter.class);

    private final BundleContext context;
    private final Path home;
    private final Path directory;
    private final Origin origin;
    private final OnDemandFreezing onDemand;

    /** The process that has taken a snapshot, with the advice about bundles that lack another one. */
    public enum Origin {
        DRIVER("the driver", "bundles that it needs on executors must have the header Hearth-Executor: true"),
        SUBMITTER("the submitter", "put the bundles that it needs into deploy/ of the submitter too");

        private final String process;
        private final String advice;

        Origin(String process, String advice) {
            this.process = process;
            this.advice = advice;
        }
    }

    /**
     * {@code home} is the directory with the bundles of this installation. {@code directory} receives the jars that are
     * fetched instead, and is deleted when the process ends. {@code onDemand} receives the bundles in reserve.
     */
    public FrozenBundleStarter(
            BundleContext context, Path home, Path directory, Origin origin, OnDemandFreezing onDemand) {
        this.onDemand = onDemand;
        this.context = context;
        this.home = home;
        this.directory = directory;
        this.origin = origin;
    }

    /**
     * Installs all bundles of the snapshot {@code frozen}, then starts them in order. In an executor, those with {@code
     * Hearth-Executor: reserve} wait for their triggers.
     */
    public synchronized void start(List<FrozenBundle> frozen, BundleSource source) {
        List<Bundle> installed = new ArrayList<>();
        for (FrozenBundle bundle : frozen) {
            installed.add(install(bundle, source));
        }
        List<Bundle> reserves = installed.stream().filter(this::isReserve).toList();
        for (Bundle reserve : reserves) { // first, because a bundle may need their services when it starts
            addReserve(reserve, reserves);
        }
        for (int i = 0; i < frozen.size(); i++) {
            if (!reserves.contains(installed.get(i))) {
                start(frozen.get(i), installed.get(i));
            }
        }
    }

    private boolean isReserve(Bundle bundle) {
        return origin == Origin.DRIVER && ExecutorClause.of(bundle).kind() == ExecutorClause.Kind.RESERVE;
    }

    /** Hands over a bundle in reserve. Those of {@code reserves} to which it is wired start before it. */
    private void addReserve(Bundle reserve, List<Bundle> reserves) {
        context.getBundle(Constants.SYSTEM_BUNDLE_ID)
                .adapt(FrameworkWiring.class)
                .resolveBundles(List.of(reserve));
        Set<Bundle> before = new LinkedHashSet<>();
        addProviders(reserve, before);
        List<Path> jars = new ArrayList<>();
        for (Bundle each : reserves) { // in the order of the snapshot: dependencies first
            if (each.equals(reserve) || before.contains(each)) {
                BundleLocations.jar(each).ifPresent(jars::add);
            }
        }
        List<String> triggers = new ArrayList<>(ExecutorClause.of(reserve).triggers());
        String offered = reserve.getHeaders("").get(BundlePackages.HEADER);
        for (PackagePattern packages : PackagePattern.parse(offered == null ? "" : offered)) {
            triggers.add("package:" + packages);
        }
        onDemand.add(reserve.getSymbolicName(), triggers, jars);
        LOG.info("bundle {}: in reserve for {}", reserve.getSymbolicName(), triggers);
    }

    private static void addProviders(Bundle bundle, Set<Bundle> providers) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class); // null: not resolved
        for (BundleWire wire : wiring == null ? List.<BundleWire>of() : wiring.getRequiredWires(null)) {
            Bundle provider = wire.getProvider().getBundle();
            if (providers.add(provider)) {
                addProviders(provider, providers);
            }
        }
    }

    private Bundle install(FrozenBundle frozen, BundleSource source) {
        try {
            Optional<Path> own = own(frozen);
            Path jar = own.isPresent() ? own.get() : fetch(frozen, source);
            // returns the existing bundle if the jar is already installed
            Bundle bundle = context.installBundle(BundleLocations.inPlace(jar));
            LOG.info("bundle {}: from {}", frozen, own.isPresent() ? "this home" : origin.process);
            return bundle;
        } catch (IOException | BundleException | HearthException failure) {
            throw ErrorCode.START_FAILED.failure(
                    "bundle " + frozen + " of " + origin.process + ": not installed, "
                            + FullDisk.problem(directory, failure)
                                    .orElse(Failures.describe(failure) + " (expected: its jar from this home or from "
                                            + origin.process + ")"),
                    failure);
        }
    }

    private Path fetch(FrozenBundle frozen, BundleSource source) throws IOException {
        Files.createDirectories(directory);
        Path jar = directory.resolve(frozen.content().sha256() + ".jar");
        source.fetch(frozen, jar);
        return jar;
    }

    /**
     * Returns the jar of this installation whose bytes equal those of {@code frozen}; empty if
     * there is none.
     */
    private Optional<Path> own(FrozenBundle frozen) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home, "*.jar")) {
            for (Path jar : files) {
                if (Files.size(jar) == frozen.bytes() && ContentId.of(jar).equals(frozen.content())) {
                    return Optional.of(jar);
                }
            }
        }
        return Optional.empty();
    }

    private void start(FrozenBundle frozen, Bundle bundle) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        if (bundle.getState() == Bundle.ACTIVE || (revision.getTypes() & BundleRevision.TYPE_FRAGMENT) != 0) {
            return;
        }
        try {
            bundle.start();
        } catch (BundleException failure) {
            MissingRequirements missing = new MissingRequirements(context, List.of(home));
            throw ErrorCode.START_FAILED.failure(
                    "bundle " + frozen + " of " + origin.process + ": not started, " + missing.explain(bundle, failure)
                            + "; " + origin.advice,
                    failure);
        }
    }
}
