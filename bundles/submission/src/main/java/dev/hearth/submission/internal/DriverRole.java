package dev.hearth.submission.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.stream.ContentDirectories;
import dev.hearth.submission.api.ApplicationRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a driver under a cluster manager: starts the application named in the key-value pairs that the parent process
 * passed at the start. The output goes to log files. A failure is therefore printed with its stack trace before the
 * usual one-line error.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=driver")
public final class DriverRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(DriverRole.class);

    private final ApplicationLoaders loaders;
    private final ApplicationRunner runner;
    private volatile boolean stopping;

    @Activate
    public DriverRole(@Reference ApplicationLoaders loaders, @Reference DriverEngine engine) {
        this.loaders = loaders;
        this.runner = new ApplicationRunner(loaders, engine);
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        try {
            startBundles(launch.orders());
            runner.run(DriverOrders.plan(launch.orders(), launch.settings()), launch.out());
            return ExitStatus.of(ExitCode.OK);
        } catch (HearthException failure) {
            if (stopping) {
                return ExitStatus.of(ExitCode.TERMINATED);
            }
            failure.printStackTrace(launch.err());
            throw failure; // the kernel prints the one-line error and derives the exit status from this failure
        }
    }

    /** Starts the bundles that the submitter has sent, so that the application can use their services. */
    private void startBundles(Map<String, String> orders) {
        CarriedBundles carried = CarriedBundles.from(orders);
        ContentDirectories contents = new ContentDirectories(carried.directories(), LOG::warn);
        loaders.start(carried.bundles(), (bundle, target) -> {
            Path jar = contents.find(bundle.content())
                    .orElseThrow(() -> ErrorCode.START_FAILED.failure("jar " + bundle.content() + ": not in " + contents
                            + " (expected: a file whose name begins with its hash)"));
            Files.copy(jar, target, StandardCopyOption.REPLACE_EXISTING);
        });
    }

    @Override
    public void stop() {
        stopping = true;
        runner.stop();
    }
}
