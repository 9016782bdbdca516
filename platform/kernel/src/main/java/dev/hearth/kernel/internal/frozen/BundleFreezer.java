package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots of bundles of this process. Executors fetch and start the bundles of a snapshot, so that they run the
 * same versions as the driver. Any thread may call; lives as long as the OSGi framework.
 */
public final class BundleFreezer {
    private static final Logger LOG = LoggerFactory.getLogger(BundleFreezer.class);

    private static final String EXECUTOR = "executor";
    private static final String DRIVER = "driver";

    private final FrozenBundleSelection choice;
    private final Function<String, List<Path>> roleJars;
    private final FrozenJarStore jars;
    private final OnDemandFreezing onDemand;

    /**
     * {@code roleJars} returns the jars that processes of a role load at start in this installation. Snapshots omit the
     * bundles in them. {@code directory} receives copies of the jars of the bundles in snapshots. {@code onDemand} are
     * the bundles that do not run yet. {@code hashes} are those of large jars, which processes of a user remember.
     */
    public BundleFreezer(
            BundleContext context,
            BundleUsageRegistry uses,
            Function<String, List<Path>> roleJars,
            Path directory,
            OnDemandFreezing onDemand,
            Optional<ContentHashes> hashes) {
        this.onDemand = onDemand;
        this.choice = new FrozenBundleSelection(context, uses);
        this.roleJars = roleJars;
        this.jars = new FrozenJarStore(directory, hashes);
    }

    /**
     * Takes a snapshot of the bundles that the executors of an application need. {@code providers} are the class
     * loaders of the bundles from which the application imports packages.
     */
    public BundleSet freeze(String application, Set<ClassLoader> providers) {
        onDemand.installForExecutors();
        List<Bundle> providerBundles = new ArrayList<>();
        for (ClassLoader provider : providers) {
            if (provider instanceof BundleReference known) {
                providerBundles.add(known.getBundle());
            }
        }
        return snapshot(
                choice.forExecutors(providerBundles, new LinkedHashSet<>(roleJars.apply(EXECUTOR))),
                "executors of application " + application);
    }

    /** Takes a snapshot of the bundles of the deploy directory that a driver on another machine needs. */
    public BundleSet freezeForDriver() {
        onDemand.startDeployed();
        return snapshot(choice.forDrivers(new LinkedHashSet<>(roleJars.apply(DRIVER))), "a driver on a cluster");
    }

    private BundleSet snapshot(List<Bundle> chosen, String users) {
        if (chosen.isEmpty()) {
            return BundleSet.NONE;
        }
        List<FrozenBundle> frozen = new ArrayList<>();
        try {
            for (Bundle bundle : chosen) {
                frozen.add(freeze(users, bundle));
            }
        } catch (RuntimeException failure) {
            frozen.forEach(bundle -> jars.release(bundle.content()));
            throw failure;
        }
        LOG.info("bundles for {}: {}", users, frozen);
        return new HeldSet(frozen, jars);
    }

    private FrozenBundle freeze(String users, Bundle bundle) {
        String subject = "bundle " + bundle.getSymbolicName() + " " + bundle.getVersion() + " for " + users;
        Path jar = BundleLocations.jar(bundle)
                .orElseThrow(() -> ErrorCode.START_FAILED.failure(
                        subject + ": installed from " + bundle.getLocation() + " (expected: from a file)"));
        try {
            ContentId content = jars.hold(jar);
            return new FrozenBundle(
                    bundle.getSymbolicName(), bundle.getVersion().toString(), content, Files.size(jars.path(content)));
        } catch (IOException failure) {
            throw ErrorCode.START_FAILED.failure(
                    subject + ": cannot be copied, " + jars.fullDisk(failure).orElse(failure + " (expected: its jar)"),
                    failure);
        }
    }

    /**
     * Snapshot of bundles for one application. Closing the snapshot releases the stored copies of the bundles' jars.
     */
    private static final class HeldSet implements BundleSet {
        private final List<FrozenBundle> bundles;
        private final FrozenJarStore jars;
        private final AtomicBoolean open = new AtomicBoolean(true);

        HeldSet(List<FrozenBundle> bundles, FrozenJarStore jars) {
            this.bundles = List.copyOf(bundles);
            this.jars = jars;
        }

        @Override
        public List<FrozenBundle> bundles() {
            return bundles;
        }

        @Override
        public Optional<Path> jar(ContentId content) {
            return bundles.stream().anyMatch(bundle -> bundle.content().equals(content))
                    ? Optional.of(jars.path(content))
                    : Optional.empty();
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                bundles.forEach(bundle -> jars.release(bundle.content()));
            }
        }
    }
}
