package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.MissingRequirements;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.loop.ThreadEventLoop;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the deployer. {@code store} is this process's directory for copies of jars. Bundles in {@code lib} cannot be
 * replaced. {@code policy} says when bundles start. The parts of the deployer are created when the first jar appears,
 * because most processes deploy no jars.
 */
public record DeployerFactory(
        BundleContext context,
        BundleUsageRegistry uses,
        MissingRequirements missing,
        Path directory,
        Path store,
        Path lib,
        Duration drainTimeout,
        StartPolicy policy,
        Duration interval) {
    /** Interval between scans. A new or changed file is processed once a later scan finds no further change. */
    public static final Duration INTERVAL = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(DeployerFactory.class);
    /**
     * OSGi capability namespace that marks extender bundles, which cannot be replaced. An extender processes all
     * bundles, so two versions of it would process each bundle twice.
     */
    private static final String EXTENDER_NAMESPACE = "osgi.extender";

    /**
     * Rules of the process for bundles of deploy/. {@code beforeFirst} runs before the first jar is processed. {@code
     * rules} reads from a manifest when the bundle starts. {@code needed} starts bundles of bundles/ by their names,
     * and returns the problem if one is missing.
     */
    public record StartPolicy(
            Runnable beforeFirst,
            Function<Attributes, StartRule> rules,
            Function<List<String>, Optional<String>> needed) {}

    /** Creates a deployer with its own event loop. The deployer is idle until it is started. */
    public DirectoryDeployer open() {
        ThreadEventLoop loop = new ThreadEventLoop("hearth-deploy", failure -> LOG.error("deploy: failed", failure));
        DirectoryDeployer deployer = new DirectoryDeployer(directory, interval, loop, this::parts);
        uses.onIdle(deployer::checkNow);
        return deployer;
    }

    private DirectoryDeployer.Parts parts() {
        policy.beforeFirst().run();
        Set<String> core = classPath();
        List<Bundle> platform = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            if (!revision.getDeclaredCapabilities(EXTENDER_NAMESPACE).isEmpty()) {
                core.add(bundle.getSymbolicName());
            }
            if (bundle.getBundleId() != Constants.SYSTEM_BUNDLE_ID && bundle.getState() == Bundle.ACTIVE) {
                platform.add(bundle);
            }
        }
        ClassUnloadMonitor classes = new ClassUnloadMonitor();
        BundleInstallations copies = new BundleInstallations(context, uses, missing, policy.needed(), classes);
        List<BundleJar> jars = new ArrayList<>();
        Map<String, String> locations = new LinkedHashMap<>();
        for (Bundle bundle : platform) {
            BundleJar jar =
                    new BundleJar("platform-" + bundle.getBundleId(), bundle.getSymbolicName(), bundle.getVersion());
            copies.add(jars.size(), bundle);
            locations.put(jar.content(), bundle.getLocation());
            jars.add(jar);
        }
        Deployment deployment = new Deployment(drainTimeout, core, jars);
        return new DirectoryDeployer.Parts(deployment, new JarStore(store, policy.rules()), copies, classes, locations);
    }

    /** Returns the symbolic names of the jars in {@code lib}, which form the class path. */
    private Set<String> classPath() {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "*.jar")) {
            for (Path jar : jars) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    Manifest manifest = file.getManifest();
                    String name = manifest == null
                            ? null
                            : manifest.getMainAttributes().getValue(Constants.BUNDLE_SYMBOLICNAME);
                    if (name != null) {
                        names.add(name.split(";", 2)[0].strip());
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn(
                    "deploy: the kernel's directory {} cannot be read, so bundles in deploy/ can replace the"
                            + " kernel's own",
                    lib,
                    e);
        }
        return names;
    }
}
