package dev.hearth.rest.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionGateway;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /v1} on every port of the process while it listens, and everything on a port of its own if the settings
 * of a master say so. The lock of this object guards that port. The JSON library is loaded with the first request.
 */
@Component(service = HttpHandler.class, immediate = true, property = HttpHandler.PREFIX + "=/v1")
public final class RestSubmissions implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RestSubmissions.class);
    private static final String MASTER = "master";

    private final RpcEnvFactory envs;
    private final KernelInfo kernel;
    private final RestSettings settings;
    private final HttpHandler handler;
    private @Nullable RpcEnv own;
    private boolean opened;
    private boolean closed;

    @Activate
    public RestSubmissions(
            @Reference SubmissionGateway gateway, @Reference RpcEnvFactory envs, @Reference KernelInfo kernel) {
        this(gateway, envs, kernel, Ticker.system());
    }

    RestSubmissions(SubmissionGateway gateway, RpcEnvFactory envs, KernelInfo kernel, Ticker ticker) {
        this.envs = envs;
        this.kernel = kernel;
        this.settings = RestSettings.from(kernel.settings());
        this.handler = new V1Handler(gateway, settings, kernel.version(), System.getenv(), ticker);
    }

    /** Opens the port of submissions when the master listens, as it then knows its host. */
    @Reference(cardinality = ReferenceCardinality.AT_LEAST_ONE, policy = ReferencePolicy.DYNAMIC)
    void addPort(RpcEnv env) {
        if (settings.port().isPresent() && kernel.role().equals(MASTER)) {
            open(settings.port().get(), env);
        }
    }

    void removePort(RpcEnv env) {
        LOG.debug("/v1 is no longer available at {}", env.address());
    }

    private synchronized void open(int port, RpcEnv master) {
        if (opened || closed) {
            return;
        }
        opened = true; // before the port is open, because opening it adds it
        String host =
                settings.host().or(() -> master.address().map(RpcAddress::host)).orElse("127.0.0.1");
        try {
            RpcEnv env = envs.open(RpcSettings.listening(kernel.settings(), host, port));
            env.serve("/", this);
            own = env;
            LOG.info(
                    "submissions by HTTP are accepted at http://{}/v1/submissions",
                    env.address().orElseThrow());
        } catch (HearthException refused) {
            LOG.error("submissions by HTTP: the port cannot be opened: {}", refused.getMessage());
        }
    }

    @Deactivate
    synchronized void close() {
        closed = true;
        Optional.ofNullable(own).ifPresent(RpcEnv::close);
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        return handler.handle(request);
    }

    @Override
    public boolean isOpen(String path) {
        return handler.isOpen(path);
    }

    @Override
    public Optional<HttpAnswer> refusal(int status, String message) {
        return handler.refusal(status, message);
    }

    @Override
    public String description() {
        return handler.description();
    }
}
