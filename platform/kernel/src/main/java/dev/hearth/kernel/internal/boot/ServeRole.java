package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import java.util.concurrent.CountDownLatch;

/**
 * The role {@code serve}, which the kernel implements itself. It runs the bundles of deploy/ until the process is
 * stopped.
 */
final class ServeRole implements RoleMain {
    static final String NAME = "serve";

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public ExitStatus run(RoleLaunch launch) throws InterruptedException {
        if (!launch.arguments().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure(NAME + ": " + launch.arguments() + " (expected: no arguments)");
        }
        launch.out().println("serving " + launch.home());
        launch.out().flush();
        stopped.await();
        return ExitStatus.of(ExitCode.TERMINATED);
    }

    @Override
    public void stop() {
        stopped.countDown();
    }
}
