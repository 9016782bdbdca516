package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcEnv;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleContext;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The role {@code serve}, which the kernel implements itself. It runs the bundles of deploy/ until the process is
 * stopped, and prints at its start where the process listens.
 */
final class ServeRole implements RoleMain {
    static final String NAME = "serve";

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final BundleContext context;

    ServeRole(BundleContext context) {
        this.context = context;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws InterruptedException {
        if (!launch.arguments().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure(NAME + ": " + launch.arguments() + " (expected: no arguments)");
        }
        List<String> addresses = addresses();
        launch.out()
                .println("serving " + launch.home()
                        + (addresses.isEmpty() ? "" : " at " + String.join(", ", addresses)));
        launch.out().flush();
        stopped.await();
        return ExitStatus.of(ExitCode.TERMINATED);
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    /** Returns the addresses of all RPC environments that listen now. */
    private List<String> addresses() {
        ServiceTracker<RpcEnv, RpcEnv> listening = new ServiceTracker<>(context, RpcEnv.class, null);
        listening.open();
        try {
            List<String> addresses = new ArrayList<>();
            for (RpcEnv env : listening.getTracked().values()) {
                env.address().ifPresent(address -> addresses.add(address.toString()));
            }
            return addresses;
        } finally {
            listening.close();
        }
    }
}
