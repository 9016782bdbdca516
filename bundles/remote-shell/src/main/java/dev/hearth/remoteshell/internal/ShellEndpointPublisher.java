package dev.hearth.remoteshell.internal;

import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.shell.CommandRunner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the endpoint {@code shell} in every RPC environment that listens. Active while its bundle is active and a
 * command runner is available. Guarded by its own lock, which is never held while a command runs.
 */
@Component
public final class ShellEndpointPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ShellEndpointPublisher.class);

    private final CommandRunner runner;
    private final AtomicLong linesRun = new AtomicLong();
    private final Map<RpcEnv, Open> open = new LinkedHashMap<>();

    @Activate
    public ShellEndpointPublisher(@Reference CommandRunner runner) {
        this.runner = runner;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    synchronized void addEnv(RpcEnv env) {
        ThreadEventLoop loop = new ThreadEventLoop("remote-shell", failure -> LOG.error("remote shell", failure));
        ShellEndpoint endpoint = new ShellEndpoint(loop, runner, this::thread);
        Registration registration = env.register(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL, loop, endpoint);
        open.put(env, new Open(loop, endpoint, registration));
    }

    synchronized void removeEnv(RpcEnv env) {
        Open closing = open.remove(env);
        if (closing != null) {
            closing.close();
        }
    }

    @Deactivate
    synchronized void close() {
        open.values().forEach(Open::close);
        open.clear();
    }

    private Thread thread(Runnable line) {
        Thread thread = new Thread(line, "remote-shell-line-" + linesRun.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private record Open(ThreadEventLoop loop, ShellEndpoint endpoint, Registration registration) {
        void close() {
            registration.close();
            loop.execute(() -> {
                endpoint.close();
                loop.close();
            });
        }
    }
}
