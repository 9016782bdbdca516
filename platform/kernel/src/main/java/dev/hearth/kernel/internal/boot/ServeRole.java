package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import java.util.concurrent.CountDownLatch;

/** Hosts whatever is in deploy/, until it is told to end. The kernel's own work for the role {@code serve}. */
final class ServeRole implements RoleMain {
    static final String NAME = "serve";

    private final CountDownLatch told = new CountDownLatch(1);

    @Override
    public ExitStatus run(RoleLaunch launch) throws InterruptedException {
        if (!launch.arguments().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure(NAME + ": " + launch.arguments() + " (expected: no arguments)");
        }
        launch.out().println("serving " + launch.home());
        launch.out().flush();
        told.await();
        return ExitStatus.of(ExitCode.TERMINATED);
    }

    @Override
    public void stop() {
        told.countDown();
    }
}
