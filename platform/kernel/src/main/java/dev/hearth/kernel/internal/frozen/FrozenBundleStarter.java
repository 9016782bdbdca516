package dev.hearth.kernel.internal.frozen;

import dev.hearth.api.HearthException;
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
import java.util.List;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs and starts the bundles of a snapshot: in an executor those of its driver, in a driver those of its submitter. Guarded by its own lock, which is held while
 * jars are fetched and bundles start. Lives as long as the OSGi framework.
 */
public final class FrozenBundleStarter {
    private static final Logger LOG = LoggerFactory.getLogger(FrozenBundleStarter.class);

    private final BundleContext context;
    private final Path home;
    private final Path directory;
    private final Origin origin;

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
     * fetched instead, and is deleted when the process ends.
     */
    public FrozenBundleStarter(BundleContext context, Path home, Path directory, Origin origin) {
        this.context = context;
        this.home = home;
        this.directory = directory;
        this.origin = origin;
    }

    /** Installs all bundles of the snapshot {@code frozen}, then starts them in order. */
    public synchronized void start(List<FrozenBundle> frozen, BundleSource source) {
        List<Bundle> installed = new ArrayList<>();
        for (FrozenBundle bundle : frozen) {
            installed.add(install(bundle, source));
        }
        for (int i = 0; i < frozen.size(); i++) {
            start(frozen.get(i), installed.get(i));
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
