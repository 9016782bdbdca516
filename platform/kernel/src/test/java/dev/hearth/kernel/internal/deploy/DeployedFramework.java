package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.MissingRequirements;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.kernel.internal.live.LiveServicesFactory;
import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;

/** Real framework that watches a directory at short intervals. */
final class DeployedFramework implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration WAIT = Duration.ofMinutes(1);

    /** Headers that make a rule: triggers of a bundle on demand, its needs, and why it never starts. */
    static final String TRIGGERS = "Test-Triggers";

    static final String NEEDS = "Test-Needs";
    static final String NEVER = "Test-Never";

    final Path directory;
    final Path bundles;
    final BundleUsageRegistry uses = new BundleUsageRegistry();
    final DirectoryDeployer deployer;
    final MissingRequirements missing;
    private final Framework framework;

    DeployedFramework(Path scratch, Duration drainTimeout) throws BundleException, IOException {
        directory = Files.createDirectories(scratch.resolve("deploy"));
        bundles = Files.createDirectories(scratch.resolve("bundles"));
        Path lib = Files.createDirectories(scratch.resolve("lib"));
        new TestingBundle("hearth-spi", "1.0").write(lib.resolve("hearth-spi-1.0.jar"));
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        scratch.resolve("cache").toString(),
                        Constants.FRAMEWORK_BSNVERSION,
                        Constants.FRAMEWORK_BSNVERSION_MULTIPLE));
        framework.start();
        missing = new MissingRequirements(context(), List.of(bundles, directory));
        deployer = new DeployerFactory(
                        context(),
                        uses,
                        missing,
                        directory,
                        scratch.resolve("store"),
                        lib,
                        drainTimeout,
                        new DeployerFactory.StartPolicy(() -> {}, DeployedFramework::rule, DeployedFramework::missing),
                        INTERVAL)
                .open();
    }

    private static StartRule rule(Attributes manifest) {
        String never = manifest.getValue(NEVER);
        if (never != null) {
            return StartRule.never(never);
        }
        String triggers = manifest.getValue(TRIGGERS);
        String needs = manifest.getValue(NEEDS);
        return triggers == null
                ? StartRule.ALWAYS
                : new StartRule(
                        StartRule.Kind.ON_DEMAND,
                        List.of(triggers.split(" ")),
                        needs == null ? List.of() : List.of(needs),
                        "waits for " + triggers);
    }

    private static Optional<String> missing(List<String> needs) {
        return Optional.of("needs " + needs + ", which are missing (expected: there)");
    }

    BundleContext context() {
        return framework.getBundleContext();
    }

    LiveServices live(Duration wait) {
        LiveServicesFactory factory = new LiveServicesFactory(
                context(), uses, wait, type -> deployer.startFor(triggers -> triggers.contains("service:" + type)));
        return context()
                .getService(context()
                        .registerService(LiveServices.class, factory, null)
                        .getReference());
    }

    /** Waits until the deployed bundles match. */
    List<Deployed> await(Predicate<List<Deployed>> condition) {
        AtomicReference<List<Deployed>> last = new AtomicReference<>(List.of());
        Eventually.until(
                "deployed as it should be",
                () -> {
                    last.set(deployer.deployed());
                    return condition.test(last.get());
                },
                WAIT,
                () -> "deployed: " + last.get());
        return last.get();
    }

    @Override
    public void close() throws BundleException {
        deployer.close();
        framework.stop();
        try {
            framework.waitForStop(WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the test's bound is over
        }
    }
}
