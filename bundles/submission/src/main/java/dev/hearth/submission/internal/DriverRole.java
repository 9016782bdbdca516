package dev.hearth.submission.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.submission.api.ApplicationRunner;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Runs a driver under a cluster manager: starts the application named in the key-value pairs that the parent process
 * passed at the start. The output goes to log files. A failure is therefore printed with its stack trace before the
 * usual one-line error.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=driver")
public final class DriverRole implements RoleMain {
    private final ApplicationRunner runner;
    private volatile boolean stopping;

    @Activate
    public DriverRole(@Reference ApplicationLoaders loaders, @Reference DriverEngine engine) {
        this.runner = new ApplicationRunner(loaders, engine);
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        try {
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

    @Override
    public void stop() {
        stopping = true;
        runner.stop();
    }
}
