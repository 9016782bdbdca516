package dev.hearth.statusapi.internal;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.time.Ticker;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /api/v1} on every port of the process, for the applications whose driver runs in this process.
 * Activated when the process begins to listen for connections. The first request creates the routes and loads the JSON
 * library. Guarded by its own lock.
 */
@Component(service = HttpHandler.class, property = HttpHandler.PREFIX + "=/api/v1")
public final class StatusApi implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(StatusApi.class);

    private final RunningApplications applications;
    private final String version;
    private final Ticker ticker;
    private @Nullable ApiRoutes routes;

    @Activate
    public StatusApi(@Reference RunningApplications applications, @Reference KernelInfo kernel) {
        this(applications, kernel.version(), Ticker.system());
    }

    StatusApi(RunningApplications applications, String version, Ticker ticker) {
        this.applications = applications;
        this.version = version;
        this.ticker = ticker;
    }

    /**
     * Logs the address of an RPC environment that listens. The reference to such an environment is mandatory, so the
     * framework activates this component only while the process listens.
     */
    @Reference(cardinality = ReferenceCardinality.AT_LEAST_ONE, policy = ReferencePolicy.DYNAMIC)
    void addPort(RpcEnv env) {
        LOG.debug("/api/v1 is available at {}", env.address());
    }

    void removePort(RpcEnv env) {
        LOG.debug("/api/v1 is no longer available at {}", env.address());
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        return routes().answer(request);
    }

    private synchronized ApiRoutes routes() {
        if (routes == null) {
            routes = new ApiRoutes(applications, version, ticker);
        }
        return routes;
    }

    @Override
    public String description() {
        return "status of the applications of this process, as JSON (applications, jobs, stages, executors)";
    }
}
