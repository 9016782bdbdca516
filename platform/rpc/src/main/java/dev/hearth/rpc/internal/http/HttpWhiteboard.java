package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.http.HttpHandler;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the HTTP handlers and gates that bundles register as OSGi services (the whiteboard pattern). They are served on all
 * ports of the process. If two handlers have the same path prefix, the higher service ranking wins. The other handler
 * takes over when the first is unregistered. Guarded by its own lock; services may change on any thread.
 */
@Component(service = HttpWhiteboard.class)
public final class HttpWhiteboard {
    private static final Logger LOG = LoggerFactory.getLogger(HttpWhiteboard.class);

    private final RouteTable routes = new RouteTable();
    private final RequestGates gates = new RequestGates();
    private final Map<Long, Mount> mounts = new TreeMap<>(); // registered handlers by service id; guarded by this
    private final LongFunction<Mount.Origin> origins;

    /** Creates a whiteboard for a process without bundles. */
    public HttpWhiteboard() {
        this(bundle -> Mount.Origin.UNKNOWN);
    }

    @Activate
    public HttpWhiteboard(BundleContext context) {
        this(bundle -> origin(context, bundle));
    }

    /** {@code origins} returns the bundle with an OSGi id. */
    HttpWhiteboard(LongFunction<Mount.Origin> origins) {
        this.origins = origins;
    }

    private static Mount.Origin origin(BundleContext context, long id) {
        Bundle bundle = context.getBundle(id);
        return bundle == null || bundle.getSymbolicName() == null
                ? Mount.Origin.UNKNOWN
                : new Mount.Origin(bundle.getSymbolicName(), id);
    }

    /** Returns the collected gates, which all HTTP servers of the process share. */
    RequestGates gates() {
        return gates;
    }

    /** Returns the routes to the collected handlers, which all HTTP servers of the process share. */
    RouteTable routes() {
        return routes;
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            target = "(" + HttpHandler.PREFIX + "=*)",
            updated = "change",
            unbind = "unbind")
    synchronized void bind(HttpHandler handler, Map<String, ?> properties) {
        long service = number(properties.get(Constants.SERVICE_ID), 0L);
        String owner = "service " + service + " of " + properties.get(Constants.SERVICE_BUNDLEID);
        String prefix = String.valueOf(properties.get(HttpHandler.PREFIX));
        try {
            Mount mount = new Mount(
                    prefix,
                    handler,
                    isTrue(properties.get(HttpHandler.OPEN)),
                    bound(properties.get(HttpHandler.BODY_MAX)),
                    (int) number(properties.get(Constants.SERVICE_RANKING), 0L),
                    service,
                    handler.getClass().getName() + ", " + owner,
                    origins.apply(number(properties.get(Constants.SERVICE_BUNDLEID), -1L)));
            mounts.put(service, mount);
            routes.add(mount);
        } catch (IllegalArgumentException wrong) {
            LOG.error("{}: not served: {}", owner, wrong.getMessage());
        }
    }

    synchronized void change(HttpHandler handler, Map<String, ?> properties) {
        unbind(handler, properties);
        bind(handler, properties);
    }

    synchronized void unbind(HttpHandler handler, Map<String, ?> properties) {
        Mount mount = mounts.remove(number(properties.get(Constants.SERVICE_ID), 0L));
        if (mount != null) {
            routes.remove(mount);
        }
    }

    @Reference(
            service = HttpGate.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            updated = "changeGate",
            unbind = "unbindGate")
    synchronized void bindGate(HttpGate gate, Map<String, ?> properties) {
        long service = number(properties.get(Constants.SERVICE_ID), 0L);
        String name =
                Objects.toString(properties.get(HttpGate.NAME), gate.getClass().getName());
        gates.add(new RequestGates.Gate(
                name,
                gate,
                (int) number(properties.get(Constants.SERVICE_RANKING), 0L),
                service,
                name + ", service " + service + " of " + properties.get(Constants.SERVICE_BUNDLEID)));
    }

    synchronized void changeGate(HttpGate gate, Map<String, ?> properties) {
        unbindGate(gate, properties);
        bindGate(gate, properties);
    }

    synchronized void unbindGate(HttpGate gate, Map<String, ?> properties) {
        gates.remove(number(properties.get(Constants.SERVICE_ID), 0L));
    }

    private static boolean isTrue(@Nullable Object value) {
        return Objects.toString(value, "").equalsIgnoreCase("true");
    }

    private static OptionalInt bound(@Nullable Object value) {
        long bytes = number(value, -1L);
        if (bytes < 0 && value != null) {
            throw new IllegalArgumentException(
                    HttpHandler.BODY_MAX + ": '" + value + "' (expected: a number of bytes, 0 or more)");
        }
        return bytes < 0 ? OptionalInt.empty() : OptionalInt.of((int) Math.min(bytes, Integer.MAX_VALUE));
    }

    private static long number(@Nullable Object value, long otherwise) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        try {
            return value == null ? otherwise : Long.parseLong(value.toString());
        } catch (NumberFormatException none) {
            return otherwise;
        }
    }
}
