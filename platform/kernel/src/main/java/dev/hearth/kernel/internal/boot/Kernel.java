package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.inventory.FullDisk;
import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OSGi framework of a process. Owned by {@link RoleProcess} from the start of the process to its end.
 * <p>The framework reads bundle jars directly from the installation, and writes its own files to the cache directory.
 */
final class Kernel {
    private static final Logger LOG = LoggerFactory.getLogger(Kernel.class);
    /** Packages that every bundle may use without importing them, as Netty and other libraries do. */
    private static final String BOOT_DELEGATION = "sun.misc,sun.nio.ch,jdk.jfr,jdk.internal.*";

    private final Framework framework;
    private final Path cache;

    private Kernel(Framework framework, Path cache) {
        this.framework = framework;
        this.cache = cache;
    }

    /** Starts a framework without bundles, so that the kernel can register its services before any bundle starts. */
    static Kernel boot(Path cache) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(Constants.FRAMEWORK_STORAGE, cache.toString());
        properties.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, SystemPackages.exported());
        properties.put(Constants.FRAMEWORK_BOOTDELEGATION, BOOT_DELEGATION);
        properties.put(Constants.FRAMEWORK_BSNVERSION, Constants.FRAMEWORK_BSNVERSION_MULTIPLE); // allow two versions

        // no lock is needed, because only this process uses the directory
        properties.put("felix.cache.locking", "false");
        properties.put("felix.log.level", "2");
        properties.put("felix.log.logger", new FelixLog());
        properties.put("ds.loglevel", "error"); // the component runtime (SCR) writes lower levels to standard output

        // the factory accepts any object, although its type parameter is String
        @SuppressWarnings({"unchecked", "rawtypes"})
        Framework framework = new FrameworkFactory().newFramework((Map) properties);
        try {
            framework.start();
        } catch (BundleException e) {
            throw ErrorCode.START_FAILED.failure(
                    FullDisk.problem(cache, e).orElse("framework: " + e.getMessage() + " (expected: it starts)"), e);
        }
        return new Kernel(framework, cache);
    }

    BundleContext context() {
        return framework.getBundleContext();
    }

    /**
     * Installs all of {@code jars}, then starts their bundles in order. Returns the bundles that did not start, with
     * reasons.
     */
    List<BundleFailure> start(List<Path> jars) {
        List<BundleFailure> failures = new ArrayList<>();
        for (Bundle bundle : install(jars)) {
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                start(bundle, failures);
            }
        }
        return failures;
    }

    /** Installs all of {@code jars}; those that are installed already remain as they are. */
    List<Bundle> install(List<Path> jars) {
        List<Bundle> bundles = new ArrayList<>();
        for (Path jar : jars) {
            try {
                bundles.add(context().installBundle(BundleLocations.inPlace(jar)));
            } catch (BundleException e) {
                throw ErrorCode.START_FAILED.failure(
                        FullDisk.problem(cache, e)
                                .orElse("bundle " + jar + ": " + e.getMessage()
                                        + " (expected: a jar with a bundle's manifest)"),
                        e);
            }
        }
        return bundles;
    }

    private static void start(Bundle bundle, List<BundleFailure> failures) {
        try {
            bundle.start();
        } catch (BundleException e) {
            failures.add(BundleFailure.of(bundle.getSymbolicName(), e));
            LOG.debug("bundle {}: not started", bundle.getSymbolicName(), e);
        }
    }

    /** Returns the revisions of all bundles, with their capabilities and requirements. */
    List<BundleRevision> revisions() {
        List<BundleRevision> revisions = new ArrayList<>();
        for (Bundle bundle : context().getBundles()) {
            revisions.add(bundle.adapt(BundleRevision.class));
        }
        return revisions;
    }

    /** Stops all bundles and the framework. Idempotent; any thread may call. */
    void stop(Duration bound) {
        try {
            framework.stop();
            FrameworkEvent end = framework.waitForStop(bound.toMillis());
            if (end.getType() == FrameworkEvent.WAIT_TIMEDOUT) {
                LOG.warn("OSGi framework: still stopping after {} s (expected: stopped by then)", bound.toSeconds());
            }
        } catch (BundleException e) {
            LOG.warn("OSGi framework: failed to stop", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("OSGi framework: the thread that waited for its stop was interrupted", e);
        }
    }
}
